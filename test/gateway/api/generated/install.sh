#!/usr/bin/env bash
# Installs the generators of API clients in .local/generators. Leaves out those whose language the machine does not have.
set -euo pipefail
mkdir -p "$(dirname "$0")/../../../../.local/generators/bin"
cd "$(dirname "$0")/../../../../.local/generators"

has() { command -v "$1" > /dev/null || { echo "There is no $1: $2 is not installed."; false; }; }

if has mvn openapi-generator; then
  mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory="$PWD" -Dmdep.stripVersion
  printf '#!/bin/sh\nexec java -jar "%s/openapi-generator-cli.jar" "$@"\n' "$PWD" > bin/openapi-generator
  chmod +x bin/openapi-generator
fi
if has go 'ogen, oapi-codegen'; then
  GOBIN=$PWD/bin go install github.com/ogen-go/ogen/cmd/ogen@v1.24.0
  GOBIN=$PWD/bin go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
fi
if has python3 'openapi-python-client, datamodel-code-generator'; then
  python3 -m venv python
  # The last three are for the clients of openapi-generator.
  python/bin/pip install -q openapi-python-client==0.29.1 datamodel-code-generator==0.89.0 \
    pydantic==2.14.4 urllib3==2.8.0 python-dateutil==4.0.0
fi
echo '{"private": true}' > package.json
# Runs with TypeScript 5 only.
bun add --exact @hey-api/openapi-ts@0.99.0 typescript@5.9.3
