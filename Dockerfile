# One image for both processes; compose.yaml says which of them a container runs.

FROM oven/bun:1.4.5-slim AS packages
WORKDIR /service
COPY package.json bun.lock bunfig.toml ./
# What only development needs, the embedded database among it, stays out.
RUN bun install --production --frozen-lockfile

FROM oven/bun:1.4.5-slim
WORKDIR /service
COPY --from=packages /service/node_modules ./node_modules
COPY package.json ./
COPY proto ./proto
COPY gateway ./gateway
COPY ledger-worker ./ledger-worker
COPY admin ./admin
ENV NODE_ENV=production
USER bun
# SIGTERM goes to the process itself, which drains.
STOPSIGNAL SIGTERM
CMD ["bun", "gateway/main.ts"]
