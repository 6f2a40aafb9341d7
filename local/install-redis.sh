#!/bin/sh
# Installs redis-server on Debian and its kin, as root, for its program alone: the system service that comes with the
# package is neither started now nor at the next boot.
set -eu
export DEBIAN_FRONTEND=noninteractive

# One installation at a time: apt-get update does not wait for another one.
if [ "${1:-}" != locked ]; then
  exec flock -w 100 /run/lock/ledger-install-redis sh "$0" locked
fi
command -v redis-server >/dev/null && exit 0

# Packages ask this program before they start a service; 101 means no.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' INT TERM HUP
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi

apt() {
  apt-get -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 -o Acquire::Retries=1 -o DPkg::Lock::Timeout=60 "$@"
}
# A broken source of something else need not be in the way.
apt update || echo 'apt-get update failed, going on'
apt install --yes --no-install-recommends redis-server

if command -v systemctl >/dev/null; then systemctl disable redis-server.service || true; fi
update-rc.d redis-server disable || true
