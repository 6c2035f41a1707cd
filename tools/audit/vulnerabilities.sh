#!/bin/sh
# Looks for known vulnerabilities in what the program calls: in the copy of the database that LEVY_VULNDB names (a
# folder, or an address), else in the database of the Go project, else in the module of its sources from the Go module
# proxy. It says which one, and of which day. With none of them it says so, and fails nothing: a machine without
# network cannot know.
set -eu
database=${LEVY_VULNDB:-https://vuln.go.dev}
note() { echo "Known vulnerabilities: $*" >&2; }

# reached is whether an address has a database.
reached() { curl --silent --show-error --fail --max-time 10 --output /dev/null "$1/index/db.json"; }

case $database in /*) database=file://$database ;; esac
case $database in
file://*) ;;
*)
  if ! reached "$database"; then
    # The sources of the database have its entries as files, which the tool reads as well.
    module=$(go mod download -json golang.org/x/vulndb@latest 2>/dev/null) || module=
    folder=$(echo "$module" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p')
    if [ -z "$folder" ] || [ -n "${LEVY_VULNDB:-}" ]; then
      note "NOT looked for: $database does not answer. LEVY_VULNDB names an offline copy."
      exit 0
    fi
    note "by $(echo "$module" | sed -n 's/^[[:space:]]*"Version": "\(.*\)",*$/\1/p') of golang.org/x/vulndb, the sources of the database, since $database does not answer"
    database=file://$folder/data/osv
  fi
  ;;
esac
# The day of a copy with an index is in that; entries as files have only their numbers, which begin with the year.
case $database in
file://*)
  folder=${database#file://}
  if [ -f "$folder/index/db.json" ]; then
    day=$(cat "$folder/index/db.json")
  elif ls "$folder" | grep -q '^GO-.*\.json$'; then
    day="up to $(ls "$folder" | grep '^GO-.*\.json$' | sort -V | tail -n 1)"
  else
    echo "$folder has neither index/db.json nor entries such as GO-2026-0001.json: it is no copy of the database" >&2
    exit 1
  fi
  ;;
*) day=$(curl --silent --fail --max-time 10 "$database/index/db.json") ;;
esac
note "in $database ($day)"
exec $GOVULNCHECK -db "$database" ./cmd/levy
