/** A gateway of the real system that is killed twice within a push. */
import { type Gateway, startGateway } from '../../local/servers/gateway.ts';
import { system } from '../fixtures/system.ts';
import { startProxy } from './proxy.ts';

/**
 * Kills the gateway while the second POST runs, and once more after the response to the third, which gets lost. Each time it is started
 * again before the next request.
 */
export async function interruptedGateway() {
  const { workerAddress, redisUrl } = system;
  let gateway = await startGateway({ workerAddress, redisUrl });
  let restarted = Promise.resolve();
  let [posts, kills] = [0, 0];
  const restart = async ({ pid, died }: Gateway) => {
    kills++;
    process.kill(pid, 'SIGKILL');
    await died;
    gateway = await startGateway({ workerAddress, redisUrl });
  };
  const proxy = await startProxy(
    async ({ method }) => {
      await restarted;
      const post = method === 'POST' ? ++posts : 0;
      if (post === 2 || post === 4) restarted = restart(gateway);
      // The second one meets a gateway that dies, at any point of its work.
      if (post === 4) await restarted;
      return post === 3 ? 'drop response' : 'pass';
    },
    () => gateway.url,
  );
  return {
    url: proxy.url,
    kills: () => kills,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await restarted;
      await gateway.stop();
    },
  };
}
