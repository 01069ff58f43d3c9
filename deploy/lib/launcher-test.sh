#!/usr/bin/env bash
# launcher-test.sh ROOT: tests the launcher on a copy of the sources. Silent, or ends 1 with what differs.
set -euo pipefail

root=$1
work=$(mktemp -d -t trapline-launcher.XXXXXX)
trap 'rm -rf -- "$work"' EXIT

fail() {
  printf 'launcher-test: %s\n' "$1" >&2
  tail -n 20 -- "$work"/*.out "$work"/*.err >&2 || true
  exit 1
}

# launch NAME COMMAND...: standard output and error go to NAME.out and NAME.err; true if it ended 0.
launch() {
  local name=$1
  shift
  "$@" >"$work/$name.out" 2>"$work/$name.err" </dev/null
}

says() { grep -qF -- "$2" "$work/$1"; }

copy_sources() {
  mkdir -p -- "$work/tree/src"
  cp -a -- "$root/pom.xml" "$root/.mvn" "$root/deploy" "$work/tree/"
  cp -a -- "$root/src/main" "$work/tree/src/"
}

builds_once() {
  local first=0 second=0
  launch first "$work/tree/deploy/trapline" --help &
  launch second "$work/tree/deploy/trapline" --help || second=$?
  wait $! || first=$?
  [[ $first$second == 00 ]] || fail "two first starts at once ended $first and $second"
  cmp -s "$work/first.out" "$work/second.out" || fail "two first starts at once print different things"
  [[ -s $work/first.out ]] || fail "--help prints nothing"
  [[ $(cat "$work"/{first,second}.err | grep -c building) == 1 ]] || fail "two first starts at once must build once"
  launch third "$work/tree/deploy/trapline" --help || fail "--help with a build failed"
  [[ ! -s $work/third.err ]] || fail "a start with a build must say nothing of its own"
}

uses_archive() {
  TRAPLINE_JAVA_OPTS="-Xlog:class+load:file=$work/classes" \
    launch archive "$work/tree/deploy/trapline" --help || fail "--help failed"
  grep -q 'io.trapline.cli.Main source: shared objects file (top)' "$work/classes" ||
    fail "the class-data archive is not used"
}

works_installed() {
  cp -a -- "$work/tree/target/dist" "$work/prefix"
  ln -s -- "$work/prefix/bin/trapline" "$work/link"
  launch installed env -C / "$work/link" --help || fail "an installed copy does not start"
  cmp -s "$work/first.out" "$work/installed.out" || fail "an installed copy prints something else"
}

rebuilds_on_change() {
  local main=$work/tree/src/main/java/io/trapline/cli/Main.java
  printf 'no java\n' >>"$main"
  ! launch broken "$work/tree/deploy/trapline" --help || fail "sources that do not compile must end in an error"
  says broken.err 'Main.java' || fail "a failed build must show the end of its log"
  says broken.err 'dist-build.log' || fail "a failed build must say where its log is"
}

# Without root and without a JDK: one line that installs it, exit code 1.
names_packages() {
  local tool
  mkdir -- "$work/bin"
  for tool in bash dirname readlink; do
    ln -s -- "$(command -v "$tool")" "$work/bin/"
  done
  printf '#!/bin/sh\n' | tee "$work/bin/apt-get" >"$work/bin/apt-cache"
  chmod +x "$work/bin/apt-get" "$work/bin/apt-cache"
  # The functions themselves, since whoever runs this may be root and may have a JDK.
  # shellcheck disable=SC2016
  ! launch missing env -i PATH="$work/bin" bash -euc '
    source "$1/deploy/lib/java.sh"
    source "$1/deploy/lib/tools.sh"
    find_java() { return 1; }
    is_root() { return 1; }
    require_tools java javac mvn' bash "$root" || fail "missing tools must end in an error"
  says missing.err 'sudo apt-get install' || fail "missing tools: no line that installs them"
  says missing.err 'openjdk-17-jdk-headless maven' || fail "missing tools: the line lacks a package"
}

copy_sources
builds_once
uses_archive
works_installed
rebuilds_on_change
names_packages
