#!/bin/bash
# Builds, with Go 1.26 or later, the programs of a cluster that Debian does not have. They are in the Go modules beside this file.
#
#     build.sh BINARIES
#
# The first time takes about 20 minutes on two cores. What is built is not built again.
set -euo pipefail

BINARIES=$1
HERE=$(cd "$(dirname "$0")" && pwd)
# Nothing but the versions of go.mod, with the checksums of go.sum.
export GOFLAGS='-mod=readonly -buildvcs=false' CGO_ENABLED=0
KUBERNETES=$(go list -C "$HERE/control-plane" -m -f '{{.Version}}' k8s.io/kubernetes)

# build MODULE PROGRAM PACKAGE
build() {
  [ -x "$BINARIES/$2" ] && return
  version=k8s.io/component-base/version
  nice -n 10 go build -C "$HERE/$1" -p 2 -trimpath \
    -ldflags "-s -w -X $version.gitVersion=$KUBERNETES -X $version.gitMajor=1 -X $version.gitMinor=35" -o "$BINARIES/$2" "$3"
}

mkdir -p "$BINARIES"
for each in kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl; do
  build control-plane "$each" "k8s.io/kubernetes/cmd/$each"
done
build names coredns .
# Only its enforcement of network policies is used.
build policies kube-router github.com/cloudnativelabs/kube-router/v2/cmd/kube-router
