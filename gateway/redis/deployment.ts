/** Runs commands in Redis. Each of its servers is up or down by itself. */
import Redis from 'ioredis';
import type { Logger } from 'pino';
import { type RedisAddress, VARIABLES } from './address.ts';
import { OPTIONS, oneServer, type RedisClient, type Scripts, sentinelOptions } from './client.ts';
import { clusterOf } from './cluster.ts';
import deadlineLua from './deadline.lua' with { type: 'text' };
import probeLua from './probe.lua' with { type: 'text' };
import type { Call } from './server.ts';

const FIRST_CONNECTION_MS_MAX = 1000;

export interface RedisDeployment {
  /**
   * Runs a script. Its last argument is the deadline, which is added here.
   * @param call its keys are of one slot: only a part of a cluster may be unavailable
   * @returns the script's reply. Undefined, at once or within 100 ms, while Redis is unavailable (refused, hung, read-only, or
   *   without a master). Then the script counts nothing, or has counted already
   */
  run<Reply>(call: Call): Promise<Reply | undefined>;
  /** Keys of one slot may be in one command. */
  slotOf(key: string): number;
  /** Probes every server. */
  isAvailable(): Promise<boolean>;
  /** Whether every server replied to its last command. */
  isUp(): boolean;
  close(): void;
}

/**
 * Connects. Waits at most one second for the first connection, because the gateway also serves without Redis.
 * @param scripts Lua by command name. Each is framed by deadline.lua
 */
export async function connectRedis(
  address: RedisAddress,
  scripts: Readonly<Record<string, string>>,
  log: Logger,
): Promise<RedisDeployment> {
  const framed = Object.entries({ ...scripts, probe: probeLua }).map(([name, lua]) => [
    name,
    { lua: deadlineLua.replace('-- SCRIPT', () => lua) },
  ]);
  const { servers, serverOf, slotOf, close } = clientOf(
    address,
    Object.fromEntries(framed),
    log.child({ variable: VARIABLES[address.kind] }),
  );
  const isUp = () => servers().every((server) => server.isUp);
  for (const end = performance.now() + FIRST_CONNECTION_MS_MAX; !isUp() && performance.now() < end; ) {
    await Bun.sleep(5);
  }

  return {
    async run(call) {
      return serverOf(call.keys[0] as string)?.run(call);
    },
    slotOf,
    async isAvailable() {
      const available = await Promise.all(servers().map((server) => server.isAvailable()));
      return available.every(Boolean);
    },
    isUp,
    close() {
      for (const server of servers()) server.close();
      close();
    },
  };
}

function clientOf(address: RedisAddress, scripts: Scripts, log: Logger): RedisClient {
  const options = { ...OPTIONS, enableOfflineQueue: false, scripts } as const;
  switch (address.kind) {
    case 'server':
      return oneServer(new Redis(address.url, options), log);
    case 'sentinel':
      return oneServer(
        new Redis({ ...options, ...sentinelOptions(address.sentinels, address.masterName) }),
        log,
      );
    case 'cluster':
      return clusterOf(address.seeds, scripts, log);
  }
}
