#!/bin/sh
# install-server.sh NAME LOGFILE
# Installs a package such as redis-server on Debian and its kin, as root, for its program alone: the system service that
# comes with the package is neither started now nor at the next boot. All three have the same name.
set -eu
export DEBIAN_FRONTEND=noninteractive
# Straight to the file: apt must not break off in the middle because whoever called has gone.
name=$1
exec >>"$2" 2>&1

# One installation at a time: apt-get update does not wait for another one.
exec 9>/run/lock/ledger-install-server
flock -w 100 9
command -v "$name" >/dev/null && exit 0

# Packages ask this program before they start a service; 101 means no.
policy=/usr/sbin/policy-rc.d
ours='# of the local ledger, while it installs a server'
if [ ! -e "$policy" ] || grep -qF "$ours" "$policy"; then
  printf '#!/bin/sh\n%s\nexit 101\n' "$ours" >"$policy"
  chmod 755 "$policy"
fi
finish() {
  if grep -qF "$ours" "$policy"; then rm -f "$policy"; fi
  if command -v systemctl >/dev/null; then systemctl disable "$name.service" || true; fi
  update-rc.d "$name" disable || true
}
trap finish EXIT
# Heeded when the running apt-get is through, which is left to finish.
trap 'exit 1' INT TERM HUP

apt() {
  apt-get -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 -o Acquire::Retries=1 -o DPkg::Lock::Timeout=60 "$@"
}
# A broken source of something else need not be in the way.
apt update || echo 'apt-get update failed, going on'
apt install --yes --no-install-recommends "$name"
