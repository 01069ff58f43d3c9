# Sourced: the tools of this machine, what they are called in its package manager, and how to get them. Errors go to
# standard error and name the fix. Needs java.sh.
# shellcheck shell=bash

say() { printf 'trapline: %s\n' "$*" >&2; }

die() {
  say "$@"
  exit 1
}

is_root() { ((EUID == 0)); }

# run_logged LOG COMMAND...: keeps the command's output in LOG; when it fails, shows the end of it and where it is.
run_logged() {
  local log=$1
  shift
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 25 -- "$log" >&2
    die "failed: $* (the whole log: $log)"
  fi
}

# find_cc: a C compiler, $CC before others.
find_cc() { command -v "${CC:-cc}" || command -v gcc || command -v clang; }

# has_tool TOOL: whether this machine has it. TOOL is a row of package_of.
has_tool() {
  case $1 in
    java | javac) find_java "$1" ;;
    cc) find_cc ;;
    # A compiler alone is not enough: the trigger includes the kernel's headers and is linked statically.
    libc)
      local cc
      cc=$(find_cc) && printf '#include <linux/perf_event.h>\n#include <stdio.h>\nint main(void) { return 0; }\n' |
        "$cc" -static -x c -o /dev/null - 2>/dev/null
      ;;
    chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
    kubectl) kubectl_release ;;
    sshd) command -v sshd || command -v /usr/sbin/sshd ;;
    # As the Makefile looks for it: a compiler without its C library is none.
    cross-cc)
      command -v aarch64-linux-gnu-gcc &&
        echo 'int main(void) { return 0; }' | aarch64-linux-gnu-gcc -static -x c -o /dev/null - 2>/dev/null
      ;;
    *) command -v "$1" ;;
  esac >/dev/null
}

# kubectl_release: its release of Kubernetes 1; fails without one, or with one that does not know what k8s/ uses
# (components and podFailurePolicy: since 1.26).
kubectl_release() {
  local version
  version=$(kubectl version --client 2>/dev/null) && [[ $version =~ v1\.([0-9]+)|Minor:\"([0-9]+) ]] &&
    ((${BASH_REMATCH[1]:-${BASH_REMATCH[2]}} >= 26))
}

# titles TOOL...: for people, each after a comma.
titles() {
  local tool text=""
  for tool in "$@"; do
    case $tool in
      java) text+=", Java (17 or later)" ;;
      javac) text+=", a JDK (17 or later)" ;;
      mvn) text+=", Maven" ;;
      cc) text+=", a C compiler" ;;
      cross-cc) text+=", a C compiler for aarch64 guests" ;;
      kubectl) text+=", kubectl 1.26 or later" ;;
      libc) text+=", headers of the kernel and a static C library" ;;
      *) text+=", $tool" ;;
    esac
  done
  printf '%s\n' "${text#, }"
}

# package_of MANAGER TOOL: the packages that hold the tool; of alternatives (a|b) the first that exists is meant.
package_of() {
  case $1:$2 in
    apt-get:java) echo 'openjdk-17-jre-headless|openjdk-21-jre-headless|openjdk-25-jre-headless' ;;
    apt-get:javac) echo 'openjdk-17-jdk-headless|openjdk-21-jdk-headless|openjdk-25-jdk-headless' ;;
    apt-get:mvn) echo maven ;;
    apt-get:libc) echo libc6-dev ;;
    apt-get:chromium) echo 'chromium|chromium-browser' ;;
    apt-get:cross-cc) echo 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross' ;;
    apt-get:qemu-system-x86_64) echo qemu-system-x86 ;;
    apt-get:systemd-analyze) echo systemd ;;
    apt-get:ssh) echo openssh-client ;;
    apt-get:sshd) echo openssh-server ;;
    apt-get:setpriv) echo util-linux ;;
    apt-get:kubectl) echo kubernetes-client ;;
    apt-get:qemu-system-aarch64) echo qemu-system-arm ;;
    dnf:java) echo 'java-17-openjdk-headless|java-21-openjdk-headless|java-25-openjdk-headless' ;;
    dnf:javac) echo 'java-17-openjdk-devel|java-21-openjdk-devel|java-25-openjdk-devel' ;;
    dnf:mvn) echo maven ;;
    dnf:libc) echo 'glibc-static kernel-headers' ;;
    dnf:clang-format) echo clang-tools-extra ;;
    dnf:shellcheck) echo ShellCheck ;;
    zypper:java) echo 'java-17-openjdk-headless|java-21-openjdk-headless' ;;
    zypper:javac) echo 'java-17-openjdk-devel|java-21-openjdk-devel' ;;
    zypper:mvn) echo maven ;;
    zypper:libc) echo 'glibc-devel-static linux-glibc-devel' ;;
    zypper:clang-format) echo clang-tools ;;
    zypper:shellcheck) echo ShellCheck ;;
    pacman:java) echo 'jre17-openjdk-headless' ;;
    pacman:javac) echo 'jdk17-openjdk' ;;
    pacman:mvn) echo maven ;;
    pacman:libc) echo 'glibc linux-api-headers' ;;
    pacman:clang-format) echo clang ;;
    *:cc) echo gcc ;;
    *) echo "$2" ;;
  esac
}

# known_package MANAGER PACKAGE: whether the package manager offers it.
known_package() {
  case $1 in
    apt-get) apt-cache show --no-all-versions "$2" >/dev/null 2>&1 ;;
    dnf) dnf -q info "$2" >/dev/null 2>&1 ;;
    zypper) zypper -q search --match-exact "$2" >/dev/null 2>&1 ;;
    pacman) pacman -Si "$2" >/dev/null 2>&1 ;;
  esac
}

# packages_for MANAGER TOOL...: all packages of the tools, alternatives decided.
packages_for() {
  local manager=$1 tool choices choice
  shift
  for tool in "$@"; do
    IFS='|' read -r -a choices <<<"$(package_of "$manager" "$tool")"
    for choice in "${choices[@]}" "${choices[0]}"; do
      [[ ${#choices[@]} -eq 1 ]] || known_package "$manager" "$choice" && break
    done
    printf '%s ' "$choice"
  done
}

package_manager() {
  local manager
  for manager in apt-get dnf zypper pacman; do
    command -v "$manager" >/dev/null && printf '%s\n' "$manager" && return
  done
  return 1
}

# require_tools TOOL...: returns when all are there. Installs what is missing when root; otherwise names the line that
# installs it and ends the program.
require_tools() {
  local tool missing=() manager packages install
  for tool in "$@"; do
    has_tool "$tool" || missing+=("$tool")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  manager=$(package_manager) ||
    die "missing: $(titles "${missing[@]}"); found no apt-get, dnf, zypper or pacman to name the packages. A JDK elsewhere: set JAVA_HOME"
  case $manager in
    apt-get) install='apt-get install -y --no-install-recommends' ;;
    pacman) install='pacman -S --noconfirm' ;;
    *) install="$manager install -y" ;;
  esac
  if ! is_root; then
    read -r -a packages <<<"$(packages_for "$manager" "${missing[@]}")"
    say "missing: $(titles "${missing[@]}"). This line installs it:"
    printf 'sudo %s %s\n' "$install" "${packages[*]}" >&2
    exit 1
  fi
  install_packages "$manager" "$install" "${missing[@]}"
  for tool in "${missing[@]}"; do
    has_tool "$tool" || die "still missing after its package was installed: $(titles "$tool")"
  done
}

# install_packages MANAGER INSTALL TOOL...: as root; INSTALL is the manager's command line up to the packages.
install_packages() {
  local manager=$1 install packages log
  read -r -a install <<<"$2"
  log=$(mktemp -t trapline-install.XXXXXX)
  if [[ $manager == apt-get ]]; then
    export DEBIAN_FRONTEND=noninteractive
    run_logged "$log" apt-get update
  fi
  read -r -a packages <<<"$(packages_for "$manager" "${@:3}")"
  say "missing: $(titles "${@:3}"). Installing: ${install[*]} ${packages[*]}"
  run_logged "$log" "${install[@]}" "${packages[@]}"
  rm -f -- "$log"
}
