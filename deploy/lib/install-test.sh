#!/usr/bin/env bash
# install-test.sh ROOT: installs into a directory, starts what is there, has systemd check the units, and, as root, tries
# the right that the worker's unit gives it. Silent, or ends 1 with what went wrong.
set -euo pipefail

root=$1
work=$(mktemp -d -t trapline-install.XXXXXX)
prefix=$work/opt/trapline
trap 'rm -rf -- "$work"' EXIT
chmod 755 "$work"

fail() {
  printf 'install-test: %s\n' "$1" >&2
  tail -n 20 -- "$work"/*.log >&2 || true
  exit 1
}

# exposed UNIT MOST: systemd's own figure, from 0 (nothing is exposed) to 10, in tenths.
exposed() {
  systemd-analyze security --offline=yes --threshold="$2" "$prefix/lib/systemd/system/$1" >"$work/security.log" 2>&1 ||
    fail "$1 exposes more than $2 tenths"
}

# can_probe RIGHT: whether the installed program can attach probes as an ordinary user with that right alone.
can_probe() {
  setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set="-all,+$1" --inh-caps="-all,+$1" \
    --ambient-caps="-all,+$1" --no-new-privs "$prefix/bin/trapline" inspect --json >"$work/inspect.log" 2>&1 &&
    ! grep -q '"ok" *: *false' "$work/inspect.log"
}

"$root/deploy/install" "$prefix" >"$work/install.log" 2>&1 || fail "deploy/install failed"
"$prefix/bin/trapline" --version >"$work/version.log" 2>&1 || fail "the installed program does not start"
for unit in trapline-coordinator trapline-worker; do
  systemd-analyze verify "$prefix/lib/systemd/system/$unit.service" >"$work/verify.log" 2>&1 || fail "$unit is no good unit"
  [[ ! -s $work/verify.log ]] || fail "systemd warns of $unit"
done
exposed trapline-coordinator.service 15
exposed trapline-worker.service 26

if ((EUID == 0)); then
  right=$(sed -n 's/^AmbientCapabilities=//p' "$prefix/lib/systemd/system/trapline-worker.service")
  right=${right#CAP_}
  can_probe "${right,,}" || fail "the right that the unit gives is not enough for probes"
  ! can_probe chown || fail "another right is enough for probes"
fi
