#!/bin/sh
# Before the files go, but not before an upgrade, which is upgrade in Debian, and 1 in RPM.
set -e
case "$1" in
remove | 0)
  if [ -d /run/systemd/system ]; then
    systemctl disable --now levy-api.socket levy-api.service levy-worker.service levy-keys.service \
      levy-backup.timer levy-backup.service
  fi
  ;;
esac
