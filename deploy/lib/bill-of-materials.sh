#!/usr/bin/env bash
# bill-of-materials.sh JARS PACKAGES: a CycloneDX bill of materials, on standard output. JARS is what Maven's
# dependency:list wrote, PACKAGES has a line "NAME VERSION ARCHITECTURE" a Debian package.
set -euo pipefail

{
  sed -nE 's/^ *([^: ]+):([^:]+):jar:([^: ]+):(compile|runtime).*/maven \1 \2 \3/p' "$1" | LC_ALL=C sort
  LC_ALL=C sort "$2" | sed 's/^/deb /'
} | awk '
  function component(name, version, purl) {
    gsub(/\+/, "%2B", purl); gsub(/~/, "%7E", purl)
    printf "%s\n    {\"type\": \"library\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"%s\"}", (NR > 1 ? "," : ""), name, version, purl
  }
  BEGIN {
    print "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,"
    print "  \"metadata\": {\"component\": {\"type\": \"application\", \"name\": \"trapline\"}},"
    printf "  \"components\": ["
  }
  $1 == "maven" { component($2 ":" $3, $4, "pkg:maven/" $2 "/" $3 "@" $4) }
  $1 == "deb" { component($2, $3, "pkg:deb/debian/" $2 "@" $3 "?arch=" $4) }
  END { print "\n  ]\n}" }'
