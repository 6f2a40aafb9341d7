/** Starts a server on the first free port of a list. */
import { CannotStart } from './cannot-start.ts';

/**
 * Runs `start` with the first of `ports` that is free; 0 lets the system choose. If another process takes the port
 * before `start` listens on it, the next port is tried.
 * @throws CannotStart when none is free, else what `start` throws.
 */
export async function onFreePort<T>(ports: number[], start: (port: number) => Promise<T>): Promise<T> {
  for (const port of ports) {
    if (!isFree(port)) continue;
    try {
      return await start(port);
    } catch (error) {
      if (isFree(port)) throw error;
    }
  }
  throw new CannotStart(`Port ${ports.join(' and ')} on 127.0.0.1 is taken by another process.`);
}

function isFree(port: number): boolean {
  if (port === 0) return true;
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') return false;
    throw new CannotStart(`Port ${port} on 127.0.0.1 cannot be listened on (${code}).`);
  }
}
