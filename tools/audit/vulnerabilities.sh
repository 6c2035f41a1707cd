#!/bin/sh
# Looks for known vulnerabilities in what the program calls, in the database of the Go project or in the
# copy that LEVY_VULNDB names (a folder, or an address). Without either it says so, and fails nothing: a
# machine without network cannot know.
set -eu
database=${LEVY_VULNDB:-https://vuln.go.dev}
case $database in /*) database=file://$database ;; esac
case $database in
file://*) test -f "${database#file://}/index/db.json" || { echo "$database has no index/db.json: it is no copy of the database" >&2; exit 1; } ;;
*)
  if ! curl --silent --show-error --fail --max-time 10 --output /dev/null "$database/index/db.json"; then
    echo "Known vulnerabilities were NOT looked for: $database does not answer. LEVY_VULNDB names an offline copy." >&2
    exit 0
  fi
  ;;
esac
exec $GOVULNCHECK -db "$database" ./cmd/levy
