#!/bin/sh
# After the files are there: the user of the processes, and the folder of their settings. Nothing is started.
set -e
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers levy.conf
elif ! getent passwd levy >/dev/null; then
  getent group levy >/dev/null || groupadd --system levy
  useradd --system --gid levy --home-dir /var/lib/levy --no-create-home --shell /usr/sbin/nologin levy
fi
install -d -m 0750 -o root -g levy /etc/levy
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
if [ ! -e /etc/levy/levy.env ]; then
  echo "Levy is not configured yet: copy /usr/share/doc/levy/examples/*.env to /etc/levy and fill them in."
else
  echo "Processes of the earlier release go on until you run: systemctl start levy-migrate, then restart levy-api and levy-worker."
fi
