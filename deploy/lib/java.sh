# Sourced: where the JVM is, and the options that it gets.
# shellcheck shell=bash

# java_major HOME: the major version of the JDK or JRE in HOME, from the file "release" that all have since 9; 0 if none.
java_major() {
  local line
  if [[ -r $1/release ]]; then
    while IFS= read -r line; do
      if [[ $line =~ ^JAVA_VERSION=\"([0-9]+) ]]; then
        printf '%s\n' "${BASH_REMATCH[1]}"
        return
      fi
    done <"$1/release"
  fi
  printf '0\n'
}

# find_java java|javac: the first home of a Java 17 or later that has this program: JAVA_HOME, PATH, /usr/lib/jvm.
find_java() {
  local candidates=() candidate
  [[ -n ${JAVA_HOME:-} ]] && candidates+=("$JAVA_HOME")
  if candidate=$(command -v java); then
    candidates+=("$(dirname -- "$(dirname -- "$(readlink -f -- "$candidate")")")")
  fi
  candidates+=(/usr/lib/jvm/*)
  for candidate in "${candidates[@]}"; do
    if [[ -x $candidate/bin/$1 && $(java_major "$candidate") -ge 17 ]]; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

# jvm_options HOME [COMMAND]: sets JVM_OPTIONS, for every start and for the class-data archive alike (a difference in
# other options than a heap's size can make the JVM refuse the archive).
jvm_options() {
  JVM_OPTIONS=(
    # Short commands: start fast, stay small. C1 alone is enough, the measuring is done by a native program.
    -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms48m -XX:NewSize=24m -Xmx448m
    # No /tmp/hsperfdata file that a SIGKILL would leave behind.
    -XX:-UsePerfData
    # An archive that does not fit (another JDK, a moved jar) is passed over; its warnings would go to standard output.
    -Xshare:auto -Xlog:disable -Xlog:all=error:stderr
  )
  # What is read from a journal stays: a heap that would grow and copy it again and again takes a third of the time.
  if [[ ${2:-} == report ]]; then
    JVM_OPTIONS+=(-Xms352m -XX:NewSize=64m -XX:MaxNewSize=64m -XX:MaxTenuringThreshold=0)
  fi
  # Akka's one use of sun.misc.Unsafe makes JDKs warn from 24 on; the option is known since 23.
  if [[ $(java_major "$1") -ge 23 ]]; then
    JVM_OPTIONS+=(--sun-misc-unsafe-memory-access=allow)
  fi
}
