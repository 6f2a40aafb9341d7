#!/bin/sh
# Writes a dump of the database of compose.yaml into a folder, and deletes older ones. A dump that cannot be read back is not kept.
#
#     deploy/backup.sh FOLDER [DAYS=30]
#
# COMPOSE_FILE and the other variables of Compose apply. docs/backup.md has the way back.
set -eu
folder=$1 days=${2:-30}
umask 077
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."

dump=$folder/ledger-$(date --utc +%Y%m%dT%H%M%SZ).dump
trap 'rm -f "$dump.part"' EXIT
docker compose exec -T postgres pg_dump --username=ledger --format=custom ledger >"$dump.part"
docker compose exec -T postgres pg_restore --file=/dev/null <"$dump.part"
mv "$dump.part" "$dump"
find "$folder" -maxdepth 1 -name 'ledger-*.dump' -mtime "+$days" -delete
echo "$dump"
