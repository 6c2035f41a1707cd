#!/usr/bin/env bash
# Names what is built: v0.3.0 at the commit of a version, v0.3.0-12-g883ed4e5 twelve commits later, and -dirty at the
# end for changes that no commit has. A tag counts before the file VERSIONS. With an argument, such as 0.3.0, a tag or
# a commit, it prints the commit instead.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -gt 0 ]; then
  commit=$(awk -v version="${1#v}" '$1 == version { print $2 }' VERSIONS)
  exec git rev-parse --verify --quiet "${commit:-$1}^{commit}"
fi

if git describe --tags --dirty --match 'v[0-9]*' 2>/dev/null; then
  exit
fi
read -r version commit < <(tail -n 1 VERSIONS)
if ! git merge-base --is-ancestor "$commit" HEAD 2>/dev/null; then
  git describe --always --dirty 2>/dev/null || echo development
  exit
fi
name=v$version
since=$(git rev-list --count "$commit..HEAD")
[ "$since" = 0 ] || name+=-$since-g$(git rev-parse --short HEAD)
git diff --quiet HEAD || name+=-dirty
echo "$name"
