# A stand-in for the image of Citus that compose.citus.yaml names: PostgreSQL 17 of Debian trixie, as in the official image, with Citus
# built from CITUS_SOURCE, a folder with its unpacked source. Sourced by engine.sh after images.sh.

CITUS_IMAGE=citusdata/citus:13.2.0
[ -x "$CITUS_SOURCE/configure" ] || { echo "CITUS_SOURCE=$CITUS_SOURCE is not the source of Citus: it has no configure." >&2; exit 1; }

if ! has_image "$CITUS_IMAGE"; then
  root=$WORK/citus
  rm -rf "$root" "$root-build"
  new_root trixie "$root"
  cp -a "$root" "$root-build"
  install_in "$root" postgresql-17
  install_in "$root-build" postgresql-server-dev-17 gcc make libc6-dev libkrb5-dev liblz4-dev libzstd-dev libssl-dev libicu-dev
  cp -a "$CITUS_SOURCE" "$root-build/source"
  # Without the bitcode for LLVM, which takes longer than all the rest.
  chroot "$root-build" sh -euc "
    cd /source
    ./configure PG_CONFIG=/usr/lib/postgresql/17/bin/pg_config --without-libcurl
    make --jobs=$(nproc) with_llvm=no all
    make with_llvm=no install DESTDIR=/installed
  " >"$WORK/citus.log" 2>&1 || { tail -n 40 "$WORK/citus.log" >&2; exit 1; }
  cp -a "$root-build/installed/." "$root/"
  rm -rf "$root-build"
  tar --directory "$root" --create . | inside docker import - local/citus >/dev/null
  postgres_image citus "$CITUS_IMAGE" 17 "\
    echo \"shared_preload_libraries = 'citus'\" >> /usr/share/postgresql/17/postgresql.conf.sample \
 && echo 'create extension citus' > /docker-entrypoint-initdb.d/1-citus.sql"
fi
