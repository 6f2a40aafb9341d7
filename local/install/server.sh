#!/bin/sh
# server.sh NAME LOGFILE
# Installs a server such as redis-server on Debian and its derivatives, as root. The system service of the package is
# started neither now nor at the next boot. Package, program and service have the same name.
set -eu
export DEBIAN_FRONTEND=noninteractive
# The output goes straight to the file: with a pipe, apt would fail half-way when the caller ends.
name=$1
exec >>"$2" 2>&1

# One installation at a time: apt-get update fails while another one runs.
exec 9>/run/lock/ledger-install-server
flock -w 100 9
command -v "$name" >/dev/null && exit 0

# Package scripts run this program before they start a service; exit code 101 forbids the start.
policy=/usr/sbin/policy-rc.d
marker='# of the local ledger, while it installs a server'
if [ ! -e "$policy" ] || grep -qF "$marker" "$policy"; then
  printf '#!/bin/sh\n%s\nexit 101\n' "$marker" >"$policy"
  chmod 755 "$policy"
fi
finish() {
  if grep -qF "$marker" "$policy"; then rm -f "$policy"; fi
  if command -v systemctl >/dev/null; then systemctl disable "$name.service" || true; fi
  update-rc.d "$name" disable || true
}
trap finish EXIT
# sh runs this trap only after the current apt-get has ended.
trap 'exit 1' INT TERM HUP

apt() {
  apt-get -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 -o Acquire::Retries=1 -o DPkg::Lock::Timeout=60 "$@"
}
# The update also fails for a broken package source that this server does not need.
apt update || echo 'apt-get update failed, going on'
apt install --yes --no-install-recommends "$name"
