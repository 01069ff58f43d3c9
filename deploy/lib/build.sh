# Sourced: builds a checkout into target/dist, which is laid out as an installation: bin/trapline, bin/trapline-trigger,
# lib/trapline.jar, lib/trapline.jsa (class-data archive) and the launcher's own files. Needs java.sh and tools.sh.
# shellcheck shell=bash

dist_dir() { printf '%s/target/dist\n' "$1"; }

# source_stamp ROOT: changes whenever a source of the product does: path, time and size of each file, hashed. So does it
# when a compiler for guests of another architecture comes: their trigger is built where it is.
source_stamp() {
  (
    cd -- "$1" || exit
    {
      find src/main pom.xml .mvn deploy/trapline deploy/lib -type f -printf '%p %T@ %s\n'
      command -v aarch64-linux-gnu-gcc x86_64-linux-gnu-gcc || true
    } | LC_ALL=C sort | sha256sum
  )
}

# build_if_needed ROOT: afterwards target/dist is a build of the sources as they are now.
build_if_needed() {
  local root=$1 dist stamp
  dist=$(dist_dir "$root")
  stamp=$(source_stamp "$root")
  is_whole "$dist" && is_current "$dist/stamp" "$stamp" && return
  require_tools javac mvn cc libc make
  with_build_lock "$root" build_locked "$root" "$stamp"
}

# is_whole DIST: whether what a build leaves is all there.
is_whole() { [[ -x $1/bin/trapline-trigger && -f $1/lib/trapline.jar ]]; }

# is_current FILE TEXT: whether the file holds just this text.
is_current() { [[ -f $1 && $(<"$1") == "$2" ]]; }

# with_build_lock ROOT COMMAND...: one at a time; who waited finds the other's work done.
with_build_lock() {
  local root=$1
  shift
  mkdir -p -- "$root/target" 2>/dev/null || true
  [[ -w $root/target ]] ||
    die "no build for these sources, and $root/target is not writable: run as its owner, or remove it"
  (
    flock 9
    "$@"
  ) 9>"$root/target/dist.lock"
}

# build_locked ROOT STAMP: the build. Tests, lints and formats are deploy/test's; new warnings of a newer JDK or C
# compiler must not keep anybody from measuring. It has its own directory, so that a `mvn verify` beside it is not
# disturbed.
build_locked() {
  local root=$1 stamp=$2 dist work jdk
  dist=$(dist_dir "$root")
  work=$root/target/dist-build
  is_whole "$dist" && is_current "$dist/stamp" "$stamp" && return
  jdk=$(find_java javac)
  say "building (once for these sources; log: $root/target/dist-build.log)"
  JAVA_HOME=$jdk CC=$(find_cc) CFLAGS="${CFLAGS:--O2 -g} -Wno-error" MAKEFLAGS="-j$(nproc)" \
    run_logged "$root/target/dist-build.log" \
    mvn -B -q -Dstyle.color=never -f "$root/pom.xml" -Dtrapline.build="$work" -Dtrapline.fast -Dmaven.test.skip -Denforcer.skip package
  mkdir -p -- "$dist/bin" "$dist/lib"
  rm -f -- "$dist/stamp" "$dist/lib/trapline.jsa" "$dist/lib/trapline.jsa.for"
  lay_out "$root" "$work" "$dist"
  printf '%s\n' "$stamp" >"$dist/stamp"
}

# lay_out ROOT BUILT PREFIX: puts what Maven built in BUILT from the checkout ROOT where the installed launcher looks.
lay_out() {
  local root=$1 built=$2 prefix=$3
  mkdir -p -- "$prefix/bin" "$prefix/lib"
  put "$built"/trapline-*-all.jar "$prefix/lib/trapline.jar"
  put "$built/native/trapline-trigger" "$prefix/bin/trapline-trigger"
  put_others "$built/native" "$prefix/bin"
  put "$root/deploy/trapline" "$prefix/bin/trapline"
  put "$root/deploy/lib/java.sh" "$prefix/lib/java.sh"
  put "$root/deploy/lib/tools.sh" "$prefix/lib/tools.sh"
}

# put_others FROM TO: the triggers for guests of another architecture, those that there are.
put_others() {
  local trigger arch
  for trigger in "$1"/*/trapline-trigger; do
    [[ -f $trigger ]] || continue
    arch=$(basename -- "$(dirname -- "$trigger")")
    mkdir -p -- "$2/$arch"
    put "$trigger" "$2/$arch/trapline-trigger"
  done
}

# put FROM TO: by renaming, so that a JVM that runs from the old file keeps it.
put() {
  cp -- "$1" "$2.new"
  mv -f -- "$2.new" "$2"
}

# archive_if_needed ROOT: afterwards the class-data archive is one of this jar and this very JVM, or could not
# be made, which costs a second at each start and nothing else.
archive_if_needed() {
  local root=$1 java_home dist wanted
  java_home=$(find_java java)
  dist=$(dist_dir "$root")
  wanted=$(stat -L -c '%d:%i %s %Y' -- "$java_home/lib/modules" "$dist/lib/trapline.jar")
  is_current "$dist/lib/trapline.jsa.for" "$wanted" && return
  # Somebody else's build, or one on a read-only disk, is used as it is.
  [[ -w $dist/lib ]] || return 0
  with_build_lock "$root" archive_locked "$root" "$java_home" "$wanted"
}

# archive_locked ROOT JAVA_HOME FOR: the JVM writes the classes of a training run, a small real campaign and a few
# commands before it, at its exit.
archive_locked() {
  local root=$1 java_home=$2 wanted=$3 dist out log code=0
  dist=$(dist_dir "$root")
  log=$root/target/dist-archive.log
  is_current "$dist/lib/trapline.jsa.for" "$wanted" && return
  out=$(mktemp -d -t trapline-training.XXXXXX)
  jvm_options "$java_home"
  # It has a directory for temporary files to itself: its figures are thrown away, so it need not have the machine too.
  # On a busy machine the run's data may be judged unfit (exit code 4): its classes are the same.
  timeout 60 "$java_home/bin/java" "${JVM_OPTIONS[@]}" -XX:ArchiveClassesAtExit="$dist/lib/trapline.jsa.new" \
    -Djava.io.tmpdir="$out" -Dtrapline.trigger="$dist/bin/trapline-trigger" \
    -cp "$dist/lib/trapline.jar" io.trapline.cli.Training \
    run "$root/deploy/lib/training.yaml" --out "$out/run" >"$log" 2>&1 </dev/null || code=$?
  if [[ $code == [04] && -f $dist/lib/trapline.jsa.new ]]; then
    mv -f -- "$dist/lib/trapline.jsa.new" "$dist/lib/trapline.jsa"
  else
    say "no class-data archive: its training run ended with $code ($log); all works, each start takes a second longer"
  fi
  rm -rf -- "$out" "$dist/lib/trapline.jsa.new"
  printf '%s\n' "$wanted" >"$dist/lib/trapline.jsa.for"
}
