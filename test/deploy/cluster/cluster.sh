#!/bin/bash
# A Kubernetes control plane and its one node, as processes beside the engine of ../containers/engine.sh. Run by `engine.sh in`:
#
#     cluster.sh control-plane WORK    etcd, the API server and the controllers: whatever is created stays pending
#     cluster.sh node WORK             the scheduler, a container runtime with the engine's images, kubelet, services, names and policies
#
# Every component is an administrator of the cluster. Nothing is kept from one run to the next except the binaries in WORK/bin.
set -euo pipefail

ACTION=$1 WORK=$2
BIN=$WORK/bin
# A file system in memory, new with each start of the engine.
STATE=/run/cluster
LOGS=$WORK/logs
ADDRESS=10.211.0.1
HERE=$(cd "$(dirname "$0")" && pwd)
export KUBECONFIG=$STATE/admin.conf

start() {
  setsid nohup "${@:2}" >"$LOGS/$1.log" 2>&1 </dev/null &
}

# until_true SECONDS COMMAND…
until_true() {
  for _ in $(seq $(($1 * 2))); do
    "${@:2}" >/dev/null 2>&1 && return
    sleep 0.5
  done
  echo "Not in $1 s: ${*:2}" >&2
  exit 1
}

control_plane() {
  if ! [ -x /usr/bin/etcd ]; then
    # The mirror may be a copy that stands still.
    apt-get update -qq -o Acquire::Check-Valid-Until=false
    apt-get install -y -qq --no-install-recommends iproute2 openssl containernetworking-plugins conntrack ipset etcd-server
  fi >"$LOGS/packages.log" 2>&1
  ip link add node0 type bridge
  ip addr add "$ADDRESS/24" dev node0
  ip link set node0 up
  cd "$STATE"
  openssl genrsa -out accounts.key 2048 2>/dev/null
  token=$(openssl rand -hex 16)
  echo "$token,admin,admin,system:masters" >tokens.csv
  cat >admin.conf <<Y
apiVersion: v1
kind: Config
clusters: [{ name: cluster, cluster: { server: "https://$ADDRESS:6443", insecure-skip-tls-verify: true } }]
users: [{ name: admin, user: { token: $token } }]
contexts: [{ name: admin, context: { cluster: cluster, user: admin } }]
current-context: admin
Y
  start etcd etcd --data-dir "$STATE/etcd" --unsafe-no-fsync
  start kube-apiserver "$BIN/kube-apiserver" --etcd-servers=http://127.0.0.1:2379 --cert-dir="$STATE/certificates" --advertise-address="$ADDRESS" \
    --service-cluster-ip-range=10.96.0.0/16 --token-auth-file=tokens.csv --authorization-mode=RBAC --allow-privileged=true \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file=accounts.key \
    --service-account-signing-key-file=accounts.key --kubelet-preferred-address-types=InternalIP
  until_true 60 "$BIN/kubectl" get --raw /readyz
  start kube-controller-manager "$BIN/kube-controller-manager" --kubeconfig=admin.conf --leader-elect=false \
    --service-account-private-key-file=accounts.key
}

# As a container of an image that Debian does not have; the rest is in the engine.
image() {
  docker build --quiet --tag "$1" --file - "$BIN" >/dev/null
}

node() {
  image local/pause:1 <<'Y'
FROM local/slim
ENTRYPOINT ["sleep", "infinity"]
Y
  image local/coredns:1 <<'Y'
FROM scratch
COPY coredns /coredns
ENTRYPOINT ["/coredns"]
Y
  for version in 1.0.0 1.0.1; do docker tag bookkeeping-ledger-api:1.0.0 "registry.example/bookkeeping-ledger-api:$version"; done

  cd "$STATE"
  mkdir -p cni
  cat >cni/10-pods.conflist <<'Y'
{ "cniVersion": "1.0.0", "name": "pods", "plugins": [{
  "type": "bridge", "bridge": "cni0", "isDefaultGateway": true, "hairpinMode": true,
  "ipam": { "type": "host-local", "ranges": [[{ "subnet": "10.244.0.0/24" }]] } }] }
Y
  rm -rf "$WORK/containerd"
  cat >containerd.toml <<Y
version = 3
root = "$WORK/containerd"
state = "$STATE/containerd"
[grpc]
  address = "$STATE/containerd.sock"
[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "docker.io/local/pause:1"
[plugins."io.containerd.cri.v1.runtime"]
  # In namespaces of a machine that may not lower it.
  restrict_oom_score_adj = true
[plugins."io.containerd.cri.v1.runtime".cni]
  bin_dirs = ["/usr/lib/cni"]
  conf_dir = "$STATE/cni"
Y
  start containerd containerd --config containerd.toml
  until_true 20 ctr --address "$STATE/containerd.sock" version
  docker save local/pause:1 local/coredns:1 postgres:18 redis:8.0-alpine registry.example/bookkeeping-ledger-api:{1.0.0,1.0.1} |
    ctr --address "$STATE/containerd.sock" --namespace k8s.io images import - >/dev/null
  # The engine drops what it does not forward itself.
  kill "$(cat /run/docker.pid)"
  iptables --policy FORWARD ACCEPT
  mount --make-rshared /
  echo 1 >/proc/sys/net/bridge/bridge-nf-call-iptables

  cat >kubelet.yaml <<Y
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
containerRuntimeEndpoint: unix://$STATE/containerd.sock
clusterDNS: [10.96.0.10]
clusterDomain: cluster.local
resolvConf: /dev/null
evictionHard: { memory.available: 100Mi, nodefs.available: 1Gi, imagefs.available: 1Gi }
imageGCHighThresholdPercent: 100
Y
  rm -rf "$WORK/kubelet" /var/lib/volumes
  install --directory --owner 999 --group 999 /var/lib/volumes/postgres /var/lib/volumes/backups
  name=--hostname-override=node-1
  start kubelet "$BIN/kubelet" --config=kubelet.yaml --kubeconfig=admin.conf $name --node-ip="$ADDRESS" --root-dir="$WORK/kubelet"
  start kube-scheduler "$BIN/kube-scheduler" --kubeconfig=admin.conf --leader-elect=false
  # The limits of connections belong to the machine.
  start kube-proxy "$BIN/kube-proxy" --kubeconfig=admin.conf $name --proxy-mode=iptables --cluster-cidr=10.244.0.0/24 \
    --conntrack-max-per-core=0 --conntrack-min=0 --conntrack-tcp-timeout-established=0s --conntrack-tcp-timeout-close-wait=0s
  until_true 60 "$BIN/kubectl" wait --for=condition=Ready node/node-1 --timeout=1s
  "$BIN/kubectl" patch node node-1 --patch '{"spec": {"podCIDR": "10.244.0.0/24", "podCIDRs": ["10.244.0.0/24"]}}'
  start kube-router "$BIN/kube-router" --kubeconfig="$KUBECONFIG" $name --run-router=false --run-service-proxy=false --run-firewall=true \
    --service-cluster-ip-range=10.96.0.0/16

  "$BIN/kubectl" --namespace kube-system create secret generic coredns --from-file=kubeconfig=admin.conf
  "$BIN/kubectl" apply --filename "$HERE/names.yaml"
  "$BIN/kubectl" --namespace kube-system wait --for=condition=Ready pod/coredns --timeout=60s
}

mkdir -p "$STATE" "$LOGS"
case $ACTION in
  control-plane) control_plane ;;
  node) node ;;
esac
