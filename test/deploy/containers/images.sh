# Stand-ins for the images that the Dockerfile and compose.yaml name, for an engine that reaches no registry of images. Their entry points do
# what the documentation of the official ones says, as far as compose.yaml uses it. Sourced by engine.sh.
#
# They cannot show what is particular to Alpine, to the official builds, and to their later versions.

image() {
  mkdir -p "$WORK/context/$1"
  cat >"$WORK/context/$1/Dockerfile"
  inside docker build --quiet --tag "$2" "$WORK/context/$1" >/dev/null
}

postgres_image() {
  mkdir -p "$WORK/context/postgres"
  cat >"$WORK/context/postgres/entry" <<'X'
#!/bin/bash
set -e
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  eval "initdb --pgdata=\"$PGDATA\" --username=\"$POSTGRES_USER\" --pwfile=\"$POSTGRES_PASSWORD_FILE\" $POSTGRES_INITDB_ARGS"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" --options="-c listen_addresses=''" --wait start
  createdb --username="$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
exec "$@"
X
  chmod +x "$WORK/context/postgres/entry"
  image postgres postgres:18 <<'X'
FROM local/servers
RUN userdel postgres; groupdel lpadmin; groupadd --gid 999 postgres \
 && useradd --uid 999 --gid postgres --home-dir /var/lib/postgresql postgres \
 && rm -rf /var/lib/postgresql /var/run/postgresql \
 && install --directory --owner postgres --group postgres --mode 1777 /var/lib/postgresql \
 && install --directory --owner postgres --group postgres --mode 3777 /var/run/postgresql \
 && sed --regexp-extended --in-place "s!^#?(listen_addresses) *=.*!\1 = '*'!" /usr/share/postgresql/18/postgresql.conf.sample
ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/18/bin PGDATA=/var/lib/postgresql/18/docker
VOLUME /var/lib/postgresql
COPY entry /usr/local/bin/docker-entrypoint.sh
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
X
}

has_image() { inside docker image inspect "$1" >/dev/null 2>&1; }

if ! has_image haproxy:3.2-alpine; then
  tar --directory "$WORK/images" --create . | inside docker import - local/servers >/dev/null
  tar --directory "$HOST" --create --one-file-system --exclude=./var/lib/docker --exclude=./var/cache --exclude=./var/lib/apt \
    --exclude='./usr/bin/*docker*' --exclude='./usr/*/docker*' --exclude='./usr/bin/containerd*' . | inside docker import - local/slim >/dev/null

  mkdir -p "$WORK"/context/{bun,redis,haproxy}
  (
    cd "$WORK/context/bun"
    npm pack --silent @oven/bun-linux-x64@1.4.5 >/dev/null
    tar --extract --gzip --file ./*.tgz --strip-components=2 package/bin/bun
    rm ./*.tgz
  )
  cp /etc/ssl/certs/ca-certificates.crt "$WORK/context/bun/"
  printf '[install]\ncafile = "/etc/ssl/certs/ca-certificates.crt"\n' >"$WORK/context/bun/bunfig"
  printf '#!/bin/sh\nexec "$@"\n' >"$WORK/context/bun/entry"
  # Debian's Redis refuses other hosts without a password. The official build does not.
  printf '#!/bin/sh\n[ "$1" = redis-server ] && set -- "$@" --protected-mode no\nexec "$@"\n' >"$WORK/context/redis/entry"
  printf '#!/bin/sh\n[ "$1" = haproxy ] && { shift; set -- haproxy -W -db "$@"; }\nexec "$@"\n' >"$WORK/context/haproxy/entry"
  chmod +x "$WORK"/context/*/entry

  image bun oven/bun:1.4.5-slim <<'X'
FROM local/slim
COPY ca-certificates.crt /etc/ssl/certs/
COPY bunfig /root/.bunfig.toml
COPY bun /usr/local/bin/bun
COPY entry /usr/local/bin/docker-entrypoint.sh
RUN useradd --uid 1000 --create-home bun
ENTRYPOINT ["/usr/local/bin/docker-entrypoint.sh"]
X
  postgres_image
  image redis redis:8.0-alpine <<'X'
FROM local/servers
RUN userdel redis; groupadd --gid 1000 redis && useradd --uid 999 --gid redis redis && install --directory --owner redis --group redis /data
WORKDIR /data
COPY entry /usr/local/bin/docker-entrypoint.sh
ENTRYPOINT ["docker-entrypoint.sh"]
X
  image haproxy haproxy:3.2-alpine <<'X'
FROM local/servers
RUN userdel haproxy; groupadd --gid 99 haproxy && useradd --uid 99 --gid haproxy haproxy \
 && mkdir -p /usr/local/etc/haproxy && ln --symbolic --force busybox /usr/bin/wget
COPY entry /usr/local/bin/docker-entrypoint.sh
USER haproxy
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
STOPSIGNAL SIGUSR1
X
fi
