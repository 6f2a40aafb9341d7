/** `bun run bench --distance MS`: the service beside one whose Postgres or Redis is so far away, there and back. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../local/servers/postgres.ts';
import { giveTls, newAuthority } from '../fixtures/certificates.ts';
import { execute } from '../fixtures/database.ts';
import { freePort } from '../fixtures/free-port.ts';
import { until } from '../fixtures/until.ts';
import { heading, measure } from './measure.ts';
import { DISTANCE_ROWS } from './rows.ts';
import { fill, startService } from './target.ts';

// Twenty batches of 500 fill the day of an account, and there are fewer requests than beside a near database.
const WRITERS = 500;

export async function measureDistance(
  ms: number,
  only: string,
  stops: (() => Promise<void>)[],
): Promise<void> {
  const port = freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'ledger-bench-'));
  const settings = { listen_addresses: '127.0.0.1', port: String(port) };
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), settings });
  stops.push(async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const databaseUrl = Object.assign(new URL(postgres.url), { port: String(port) }).href;
  const certificate = await (await newAuthority('bench')).issue('database');
  const access = 'local all all trust\nhost all all 127.0.0.1/32 trust\n';
  giveTls(join(dataDir, 'postgres'), certificate, access);
  await execute(databaseUrl, 'select pg_reload_conf()');
  const isTls = async () => (await execute<{ ssl: string }>(databaseUrl, 'show ssl'))[0]?.ssl === 'on';
  await until('Postgres speaks TLS', isTls);
  const near = await startService('near', { databaseUrl });
  stops.push(near.stop);
  const database = { host: '127.0.0.1', port };
  const redis = { path: near.redisUrl ?? '' };
  const toPostgres = (sslmode: string) => (at: number) => ({
    databaseUrl: `postgres://ledger@127.0.0.1:${at}/ledger?sslmode=${sslmode}`,
    redisUrl: redis.path,
  });
  const toRedis = (at: number) => ({ databaseUrl, redisUrl: `redis://127.0.0.1:${at}` });
  const far = [
    { name: 'Postgres', server: database, urls: toPostgres('disable') },
    { name: 'Postgres by TLS', server: database, urls: toPostgres('require') },
    { name: 'Redis', server: redis, urls: toRedis },
  ];
  const here = { ...near, accounts: await fill(near, WRITERS) };
  for (const { name, server, urls } of far) {
    const link = await startDelay(server, ms / 2);
    const service = await startService(`${name} ${ms} ms away`, urls(link.port));
    const there = { ...service, accounts: await fill(service, WRITERS), packets: link.packets };
    console.log(heading([here, there]));
    for (const row of DISTANCE_ROWS.filter((each) => `${each.name} ${each.clients}`.startsWith(only))) {
      await measure(row, [here, there]);
    }
    await service.stop();
    link.close();
  }
}

/** A proxy on a free port of 127.0.0.1 that delivers each packet so many milliseconds later. */
async function startDelay(target: NetConnectOpts, ms: number) {
  let packets = 0;
  const server = createServer((client) => {
    const upstream = connect(target);
    forward(client, upstream, ms, () => packets++);
    forward(upstream, client, ms);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, packets: () => packets, close: () => server.close() };
}

function forward(from: Socket, to: Socket, ms: number, count = () => {}): void {
  from.setNoDelay(true);
  from.on('data', (packet) => {
    count();
    setTimeout(() => to.write(packet), ms);
  });
  from.on('error', () => to.destroy());
  from.on('close', () => setTimeout(() => to.destroy(), ms));
}
