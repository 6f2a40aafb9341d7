#!/bin/bash
# Builds, with Go 1.26 or later, what a cluster of one node needs and Debian does not have:
#
#     build.sh BINARIES
#
# The first time takes about 20 minutes on two cores. What is built is not built again.
set -euo pipefail

BINARIES=$1
KUBERNETES=1.35.4
export GOFLAGS=-mod=mod CGO_ENABLED=0
modules=$(mktemp --directory)
trap 'rm -rf "$modules"' EXIT

# module NAME REQUIREMENT: a module of this name, in which `build` runs. Its go.mod ends with the lines of the standard input.
module() {
  mkdir "$modules/$1"
  cd "$modules/$1"
  printf 'module %s\n\ngo 1.25\n\nrequire %s\n\n' "$1" "$2" >go.mod
  cat >>go.mod
}

# build PROGRAM PACKAGE
build() {
  [ -x "$BINARIES/$1" ] && return
  version=k8s.io/component-base/version
  nice -n 10 go build -p 2 -trimpath -ldflags "-s -w -X $version.gitVersion=v$KUBERNETES -X $version.gitMajor=1 -X $version.gitMinor=35" \
    -o "$BINARIES/$1" "$2"
}

mkdir -p "$BINARIES"

# Kubernetes requires its own libraries as v0.0.0, and replaces them by folders that its module does not contain.
definition=$(go mod download -json "k8s.io/kubernetes@v$KUBERNETES" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
module control-plane "k8s.io/kubernetes v$KUBERNETES" \
  < <(sed -n "s#^\s*\(k8s.io/[a-z-]*\) v0.0.0\$#replace \1 => \1 v0.${KUBERNETES#1.}#p" "$definition")
for each in kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl; do
  build "$each" "k8s.io/kubernetes/cmd/$each"
done

# CoreDNS with two of its plugins.
module names 'github.com/coredns/coredns v1.15.0' </dev/null
cat >main.go <<'GO'
package main

import (
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

func main() { coremain.Run() }
GO
build coredns .

# Of kube-router, only what enforces network policies is used.
module policies 'github.com/cloudnativelabs/kube-router/v2 v2.1.0' </dev/null
build kube-router github.com/cloudnativelabs/kube-router/v2/cmd/kube-router
