#!/bin/bash
# A Docker Engine with Compose on a Debian machine that has none: in a root file system and in namespaces of its own, as root.
#
#     engine.sh up WORK CHECKOUT     the first time builds the root file system (minutes), then starts the engine (seconds)
#     engine.sh down WORK            ends everything that runs in it, and keeps the file system
#     engine.sh in WORK COMMAND…     runs a command beside the engine
#     engine.sh net WORK COMMAND…    runs a command of this machine in the engine's network
#
# The images of compose.yaml are replaced by stand-ins of the same names, made of Debian's packages: images.sh.
set -euo pipefail

ACTION=$1 WORK=$2
shift 2
HOST=$WORK/host
SUITE=forky
# Of several engines on one machine, each has a number.
NUMBER=${ENGINE_NUMBER:-0}
INTERFACE=ledger-box$NUMBER
NETWORK=10.210.$NUMBER
HERE=$(cd "$(dirname "$0")" && pwd)
export DEBIAN_FRONTEND=noninteractive

first_process() { cat "$WORK/first-process"; }
inside() { nsenter --target "$(first_process)" --mount --net --pid --ipc --uts --root --wdns="$(cat "$WORK/checkout")" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
in_its_network() { nsenter --target "$(first_process)" --net "$@"; }

build_root() {
  [ -f "$WORK/built" ] && return
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends debootstrap nftables iproute2 >/dev/null
  new_root "$SUITE" "$HOST"
  cp -a "$HOST" "$WORK/images"
  install_in "$WORK/images" haproxy redis-server postgresql-18 busybox
  install_in "$HOST" docker.io docker-cli docker-compose docker-buildx containerd runc iptables ca-certificates procps
  touch "$WORK/built"
}

# new_root SUITE FOLDER
new_root() {
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)
  debootstrap --variant=minbase "$1" "$2" "$mirror" /usr/share/debootstrap/scripts/sid >"$WORK/debootstrap.log"
  # No service starts while packages are installed.
  printf '#!/bin/sh\nexit 101\n' >"$2/usr/sbin/policy-rc.d" && chmod +x "$2/usr/sbin/policy-rc.d"
  mkdir -p "$2/etc/postgresql-common"
  echo 'create_main_cluster = false' >"$2/etc/postgresql-common/createcluster.conf"
  cp /etc/resolv.conf "$2/etc/"
}

install_in() {
  local root=$1
  shift
  mount -t proc proc "$root/proc"
  chroot "$root" apt-get install -y -qq --no-install-recommends "$@" >>"$WORK/packages.log" 2>&1
  umount "$root/proc"
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/archives/*.deb
}

start_namespaces() {
  cat >"$WORK/first-process.sh" <<X
set -e
mount --make-rprivate /
mount --bind $HOST $HOST
mkdir -p $HOST$WORK $HOST$1 $HOST/old
mount -t proc proc $HOST/proc
mount -t sysfs sysfs $HOST/sys
mount --rbind /sys/fs/cgroup $HOST/sys/fs/cgroup
mount --rbind /dev $HOST/dev
mount -t tmpfs tmpfs $HOST/run
mount --bind $WORK $HOST$WORK
mount --bind $1 $HOST$1
ip link set lo up
cd $HOST
pivot_root . old
umount -l /old
echo 1 >/proc/sys/net/ipv4/ip_forward
touch $WORK/isolated
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -c 'while :; do sleep 3600 & wait; done'
X
  rm -f "$WORK/isolated"
  unshare --mount --net --pid --ipc --uts --fork sh "$WORK/first-process.sh" >"$WORK/namespaces.log" 2>&1 &
  for _ in $(seq 100); do
    [ -f "$WORK/isolated" ] && break
    sleep 0.1
  done
  [ -f "$WORK/isolated" ] || { cat "$WORK/namespaces.log" >&2; exit 1; }
  pgrep --parent $! >"$WORK/first-process"
}

# The build of the image needs the registry of its packages.
connect_to_registries() {
  outer=$(ip route show default | sed -n 's/.* dev \([^ ]*\).*/\1/p')
  ip link add "$INTERFACE" type veth peer name up0 netns "$(first_process)"
  ip addr add "$NETWORK.1/30" dev "$INTERFACE"
  ip link set "$INTERFACE" up
  in_its_network sh -c "ip addr add $NETWORK.2/30 dev up0 && ip link set up0 up && ip route add default via $NETWORK.1"
  nft --file - <<X
table ip $INTERFACE { chain post { type nat hook postrouting priority 100; ip saddr $NETWORK.0/30 oifname $outer masquerade; }; }
X
  for each in "$INTERFACE" "$outer"; do echo 1 >"/proc/sys/net/ipv4/conf/$each/forwarding"; done
}

start_engine() {
  inside sh -c 'setsid nohup dockerd --storage-driver overlay2 --exec-opt native.cgroupdriver=cgroupfs >/var/log/dockerd.log 2>&1 </dev/null &'
  for _ in $(seq 120); do
    inside docker info >/dev/null 2>&1 && return
    sleep 0.5
  done
  echo 'The engine does not start.' >&2
  exit 1
}

case $ACTION in
  up)
    mkdir -p "$WORK"
    build_root
    echo "$1" >"$WORK/checkout"
    start_namespaces "$1"
    connect_to_registries
    start_engine
    . "$HERE/images.sh"
    ;;
  down)
    kill -9 "$(first_process)"
    sleep 1
    ip link del "$INTERFACE" 2>/dev/null || true
    nft delete table ip "$INTERFACE"
    for each in /sys/fs/cgroup/*/{docker,kubepods}; do find "$each" -depth -type d -exec rmdir {} + 2>/dev/null || true; done
    rm "$WORK/first-process"
    ;;
  in) inside "$@" ;;
  net) in_its_network "$@" ;;
esac
