#!/bin/sh
# Replaces the workers and then the gateways of compose.yaml by the version of this checkout, without a failed request: each service runs
# twice as many containers until the new ones are healthy, and then the old ones drain.
#
#     deploy/roll.sh            builds the image first
#     deploy/roll.sh --no-build
#
# COMPOSE_FILE and the other variables of Compose apply. With deploy/compose.citus.yaml, the database is migrated and distributed first.
set -eu
cd "$(dirname "$0")/.."

[ "${1:-}" = --no-build ] || docker compose build

services=$(docker compose config --services)
for step in migrate distribute; do
  if echo "$services" | grep --quiet --line-regexp "$step"; then docker compose run --rm --no-deps "$step"; fi
done

for service in ledger-worker gateway; do
  count=$(docker compose ps --quiet "$service" | wc -l)
  docker compose up --detach --no-deps --wait --no-recreate --scale "$service=$((count * 2))" "$service"
  docker compose up --detach --no-deps --wait --scale "$service=$count" "$service"
done
