# One image for both processes; whoever runs it says which of them a container is.
# The base is pinned by its tag. Where images are built for production, pin it by digest as well:
#   docker buildx imagetools inspect oven/bun:1.4.5-slim

FROM oven/bun:1.4.5-slim AS packages
WORKDIR /service
COPY package.json bun.lock bunfig.toml ./
# What only development needs stays out: the embedded database, the compiler (that comes along as somebody's peer), and
# what describes code to editors and debuggers.
RUN bun install --production --frozen-lockfile \
 && rm -rf node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver \
 && find node_modules -name '*.map' -delete \
 && find node_modules -name '*.d.*ts' -delete

FROM oven/bun:1.4.5-slim
WORKDIR /service
COPY --from=packages /service/node_modules ./node_modules
COPY package.json bunfig.toml ./
COPY proto ./proto
COPY platform ./platform
COPY gateway ./gateway
COPY ledger-worker ./ledger-worker
COPY admin ./admin
# No code is written down while it runs: the root file system may be read-only.
ENV NODE_ENV=production \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
# The user `bun` of the base, by number: so that it can be told from root without a look into the image.
USER 1000:1000
# To the process itself, which drains.
STOPSIGNAL SIGTERM
# Each process has a check of its own; a container that is not a gateway names the other one, together with its command.
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=3 CMD ["bun", "gateway/healthcheck.ts"]
CMD ["bun", "gateway/main.ts"]
