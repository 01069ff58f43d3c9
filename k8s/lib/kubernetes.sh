# Sourced by the scripts of k8s/: kubectl in our namespace, and the ends that all of them share.
# shellcheck shell=bash

namespace=${TRAPLINE_NAMESPACE:-trapline}

say() { printf '%s\n' "$*" >&2; }

# end CODE TEXT...: the exit codes are trapline's own, see README.md.
end() {
  local code=$1
  shift
  say "${0##*/}: $*"
  exit "$code"
}

kube() { kubectl --namespace "$namespace" --request-timeout=30s "$@"; }

# ask COMMAND...: its output, from an API server that may be away for a minute. Ends the program with 5 when it stays
# away, and at once when it knows no such thing.
ask() {
  local out log deadline=$((SECONDS + ${TRAPLINE_PATIENCE:-60}))
  log=$(mktemp)
  until out=$(kube "$@" 2>"$log"); do
    if grep -qE 'NotFound|not found' "$log" || ((SECONDS >= deadline)); then
      say "$(<"$log")"
      rm -f -- "$log"
      end 5 "kubectl $* failed, see above"
    fi
    sleep 1
  done
  rm -f -- "$log"
  printf '%s' "$out"
}
