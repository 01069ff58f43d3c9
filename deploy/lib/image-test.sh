#!/usr/bin/env bash
# image-test.sh ROOT: builds the image on bases made by debootstrap, without a container engine (buildah, isolation by
# chroot), and runs its entry point: user, files, size, signals, the bill of materials. Silent, or ends 1 with what differs. The
# bases are kept in ~/.cache/trapline/bases.
set -euo pipefail

root=$1
bases=${XDG_CACHE_HOME:-$HOME/.cache}/trapline/bases
work=$(mktemp -d -t trapline-image.XXXXXX)
export CONTAINERS_STORAGE_CONF=$work/storage.conf BUILDAH_ISOLATION=chroot
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s"\nrunroot = "%s"\n' "$work/storage" "$work/run" >"$work/storage.conf"
trap 'rm -rf -- "$work"' EXIT

fail() {
  printf 'image-test: %s\n' "$1" >&2
  tail -n 20 -- "$work"/*.log >&2 || true
  exit 1
}

# base NAME PACKAGES: a tar of Debian 12 with these packages, made once. Without what Debian's own "slim" images leave out.
base() {
  local mirror
  [[ -f $bases/$1.tar ]] && return
  mkdir -p -- "$bases" "$work/$1"
  # From where this machine gets its own packages, if that is Debian 12; else from debootstrap's default.
  # shellcheck disable=SC2016 # the words are apt's
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    sed -n 's/ bookworm$//p' | head -n 1)
  debootstrap --variant=minbase ${2:+--include="$2"} bookworm "$work/$1" ${mirror:+"$mirror"} \
    >"$work/debootstrap.log" 2>&1 || fail "debootstrap failed"
  rm -rf -- "$work/$1"/var/cache/apt/*.bin "$work/$1"/var/cache/apt/archives/*.deb "$work/$1"/var/lib/apt/lists/* \
    "$work/$1"/usr/share/{doc,man,info,locale,lintian}/*
  tar -C "$work/$1" -cf "$bases/$1.tar.new" .
  mv -- "$bases/$1.tar.new" "$bases/$1.tar"
  rm -rf -- "${work:?}/$1"
}

# import NAME: the tar as the image localhost/NAME.
import() {
  local container
  container=$(buildah from scratch)
  buildah add -q "$container" "$bases/$1.tar" / >/dev/null
  buildah commit -q "$container" "localhost/$1" >/dev/null
  buildah rm "$container" >/dev/null
}

# build TAG: the image, from Maven's cache as far as that goes.
build() {
  "$root/deploy/image" "$1" --build-arg BASE=localhost/run-bookworm --build-arg BUILD_BASE=localhost/build-bookworm \
    --build-arg "MAVEN_ARGS=${MAVEN_ARGS:-}" --volume "$HOME/.m2:/root/.m2" >"$work/build.log" 2>&1 ||
    fail "deploy/image failed"
}

# entry ARGUMENTS...: the entry point as an engine starts it: no shell, its user, its environment.
entry() {
  exec chroot --userspec=10001:10001 "$mount" /usr/bin/env -i PATH=/opt/trapline/bin:/usr/bin:/bin \
    JAVA_HOME=/opt/trapline/jre "$entry_point" "$@"
}

base run-bookworm ''
base build-bookworm openjdk-17-jdk-headless,maven,make,gcc,libc6-dev
import run-bookworm
import build-bookworm
build localhost/trapline:test
container=$(buildah from localhost/trapline:test)
mount=$(buildah mount "$container")

config() { buildah inspect --type image --format "$1" localhost/trapline:test; }
[[ $(config '{{.OCIv1.Config.User}}') == 10001:10001 ]] || fail "the image's user is not 10001"
[[ $(config '{{len .OCIv1.Config.Entrypoint}}') == 1 ]] || fail "the entry point is not one word"
entry_point=$(config '{{index .OCIv1.Config.Entrypoint 0}}')

size=$(du -sxm --apparent-size -- "$mount" | cut -f 1)
((size < 200)) || fail "the image has $size MB"
[[ -z $(find "$mount/opt/trapline" -perm /022 ! -type l) ]] || fail "others than root can write to the program"
for kind in pkg:maven/com.typesafe.akka/akka-actor-typed_2.13@ pkg:deb/debian/libc6@; do
  grep -qF "\"$kind" "$root/target/image/bom.cdx.json" || fail "the bill of materials lacks $kind"
done

mkdir -p -- "$mount/data"
chown 10001:10001 "$mount/data"
[[ -e $mount/dev/urandom ]] || mknod -m 666 "$mount/dev/urandom" c 1 9
[[ -e $mount/dev/null ]] || mknod -m 666 "$mount/dev/null" c 1 3
# Where the JVM's own libraries are, the dynamic linker learns there.
mount -t proc proc "$mount/proc"
trap 'umount "$mount/proc"; rm -rf -- "$work"' EXIT
(entry --version) >"$work/version.log" 2>&1 || fail "--version failed"
(entry coordinator --data /data --port 0 --http 127.0.0.1:0) >"$work/coordinator.log" 2>&1 &
pid=$!
for ((i = 0; i < 300; i++)); do
  grep -q 'workers join with' "$work/coordinator.log" && break
  kill -0 "$pid" 2>/dev/null || fail "the coordinator ended"
  sleep 0.2
done
[[ $(readlink "/proc/$pid/exe") == */jre/bin/java ]] || fail "the entry point's process is not the JVM"
[[ $(awk '/^Uid:/ {print $2}' "/proc/$pid/status") == 10001 ]] || fail "the coordinator is not run by 10001"
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
[[ $code == 0 ]] || fail "after SIGTERM the coordinator ended with $code"
