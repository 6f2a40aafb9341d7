/** Runs commands in Redis. Each of its servers is up or down by itself. */
import type { Logger } from 'pino';
import { type RedisAddress, VARIABLES } from './address.ts';
import { createRedisClient, type Scripts } from './clients.ts';
import { type Call, RedisServer } from './server.ts';

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
 * @param scripts Lua by command name.
 */
export async function connectRedis(
  address: RedisAddress,
  scripts: Scripts,
  log: Logger,
): Promise<RedisDeployment> {
  const servers = new Map<string, RedisServer>();
  const isUp = () => [...servers.values()].every((server) => server.isUp);
  const client = createRedisClient(address, scripts, {
    servers(connections) {
      for (const [name, server] of servers) {
        if (connections.has(name)) continue;
        servers.delete(name);
        if (server.close()) log.info({ server: name }, 'redis is back: another server has its keys');
      }
      for (const [name, connection] of connections) {
        if (!servers.has(name))
          servers.set(
            name,
            new RedisServer(name, connection, log.child({ variable: VARIABLES[address.kind] })),
          );
      }
    },
    ended: (name) => servers.get(name)?.disconnected(),
  });
  for (const end = performance.now() + FIRST_CONNECTION_MS_MAX; !isUp() && performance.now() < end; ) {
    await Bun.sleep(5);
  }

  return {
    async run(call) {
      return servers.get(client.serverOf(call.keys[0] as string))?.run(call);
    },
    slotOf: client.slotOf,
    async isAvailable() {
      const available = await Promise.all([...servers.values()].map((server) => server.isAvailable()));
      return available.every(Boolean);
    },
    isUp,
    close() {
      for (const server of servers.values()) server.close();
      client.close();
    },
  };
}
