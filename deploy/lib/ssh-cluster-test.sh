#!/usr/bin/env bash
# ssh-cluster-test.sh ROOT: runs deploy/ssh-cluster against real sshd processes on loopback addresses, with workers that
# simulate, as all of them are this one machine. Silent, or ends 1 with what went wrong.
set -euo pipefail

root=$1
work=$(mktemp -d -t trapline-sshd.XXXXXX)
daemons=()
sshd=$(command -v sshd || printf '/usr/sbin/sshd')

# shellcheck disable=SC2317
clean_up() {
  local daemon
  for daemon in "${daemons[@]}"; do
    kill "$daemon" 2>/dev/null || true
  done
  rm -rf -- "$work"
}
trap clean_up EXIT

fail() {
  printf 'ssh-cluster-test: %s\n' "$1" >&2
  tail -n 20 -- "$work"/{run,bad,long}.log >&2 2>/dev/null || true
  exit 1
}

# daemon ADDRESS: an sshd of its own.
daemon() {
  "$sshd" -D -e -f /dev/null -h "$work/host_key" -o "ListenAddress=$1:$port" -o "AuthorizedKeysFile=$work/key.pub" \
    -o StrictModes=no -o PidFile=none -o UsePAM=no -o PasswordAuthentication=no >"$work/sshd-$1.log" 2>&1 &
  daemons+=($!)
}

free_port() {
  local candidate
  for ((candidate = 20000 + RANDOM % 10000; candidate < 40000; candidate += 3)); do
    (: </dev/tcp/127.0.0.1/"$candidate") 2>/dev/null || { printf '%s\n' "$candidate" && return; }
  done
  return 1
}

left_over() { find /tmp -maxdepth 1 -name 'trapline-ssh.*' -newer "$work/begun" | grep -q .; }

mkdir -p /run/sshd
port=$(free_port)
cluster=("$root/deploy/ssh-cluster" "127.0.0.2:$port,127.0.0.3:$port")
ssh-keygen -q -t ed25519 -N '' -f "$work/key"
ssh-keygen -q -t ed25519 -N '' -f "$work/host_key"
daemon 127.0.0.2
daemon 127.0.0.3
touch "$work/begun"
export TRAPLINE_SSH_OPTIONS="-i $work/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=$work/known -o LogLevel=ERROR"
export TRAPLINE_PORT=$((port + 1)) TRAPLINE_WORKER_OPTIONS="--simulated 1"
cat >"$work/two.yaml" <<'YAML'
apiVersion: trapline/v1
kind: Campaign
metadata: {name: two}
spec:
  paths: [{name: locked, attach: {scope: pid}}, {name: lockless, attach: {scope: system}}]
  workloads: [uprobe-nop]
  cpus: [1]
  timing: {warmup: 20ms, interval: 50ms, measure: 200ms, rounds: 2}
YAML

code=0
"${cluster[@]}" "$work/two.yaml" "$work/out" >"$work/run.out" 2>"$work/run.log" || code=$?
[[ $code == 0 ]] || fail "a campaign on two hosts ended with $code"
cmp -s "$work/run.out" "$work/out/report.txt" || fail "the report printed is not the one fetched"
grep -q SIMULATED "$work/out/report.txt" || fail "the report is not marked SIMULATED"
! left_over || fail "something was left on the hosts"

sed 's/uprobe-nop/uprobe-nip/' "$work/two.yaml" >"$work/bad.yaml"
code=0
"${cluster[@]}" "$work/bad.yaml" "$work/bad" >"$work/bad.out" 2>"$work/bad.log" || code=$?
[[ $code == 1 ]] || fail "a wrong campaign ended with $code"
! left_over || fail "something was left on the hosts after a wrong campaign"

sed 's/measure: 200ms/measure: 60s/' "$work/two.yaml" >"$work/long.yaml"
"${cluster[@]}" "$work/long.yaml" "$work/long" >"$work/long.out" 2>"$work/long.log" &
running=$!
for ((i = 0; i < 600; i++)); do
  grep -q 'trials to run' "$work/long.log" && break
  kill -0 "$running" 2>/dev/null || fail "the long campaign ended early"
  sleep 0.2
done
kill -TERM "$running"
code=0
wait "$running" || code=$?
[[ $code == 143 ]] || fail "ended by SIGTERM with $code"
! left_over || fail "something was left on the hosts after SIGTERM"
