# One image for both processes; the command of the container chooses between them.
# The base image is pinned by tag. For production, pin it by digest as well:
#   docker buildx imagetools inspect oven/bun:1.4.5-slim

FROM oven/bun:1.4.5-slim AS packages
WORKDIR /service
# Without clients/ there are the packages of the service only.
COPY package.json bun.lock bunfig.toml ./
# Removes what only development needs: the embedded database, the compiler (a peer dependency of a package), source maps
# and type declarations.
RUN bun install --production --frozen-lockfile \
 && rm -rf node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver \
 && find node_modules -name '*.map' -delete \
 && find node_modules -name '*.d.*ts' -delete

# The script of /api/v1/docs and the import page. Their packages are needed only here.
FROM oven/bun:1.4.5-slim AS pages
WORKDIR /service
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY clients/typescript/package.json ./clients/typescript/
COPY clients/web/package.json ./clients/web/
RUN bun install --frozen-lockfile --ignore-scripts
COPY clients/typescript ./clients/typescript
COPY clients/web ./clients/web
RUN bun clients/web/build.ts --force
COPY gateway/docs-page ./gateway/docs-page
RUN bun gateway/docs-page/build.ts

FROM oven/bun:1.4.5-slim
LABEL org.opencontainers.image.title="Bookkeeping Ledger API" \
      org.opencontainers.image.description="Gateway and ledger worker" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.base.name="docker.io/oven/bun:1.4.5-slim"
WORKDIR /service
COPY --from=packages /service/node_modules ./node_modules
COPY package.json bunfig.toml ./
COPY proto ./proto
COPY platform ./platform
COPY gateway ./gateway
COPY --from=pages /service/gateway/docs-page/dist ./gateway/docs-page/dist
COPY docs/api ./docs/api
COPY ledger-worker ./ledger-worker
COPY admin ./admin
COPY --from=pages /service/clients/web/dist ./clients/web/dist
# No transpiler cache, because the root file system may be read-only.
ENV NODE_ENV=production \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
# The user `bun` of the base image, by number: Kubernetes can then verify that it is not root.
USER 1000:1000
# At SIGTERM a process drains.
STOPSIGNAL SIGTERM
# The default is the gateway. A worker container overrides both the health check and the command.
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=3 CMD ["bun", "gateway/healthcheck.ts"]
CMD ["bun", "gateway/main.ts"]
