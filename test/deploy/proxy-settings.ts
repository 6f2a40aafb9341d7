/** The settings of deploy/haproxy: haproxy.cfg, and the gateways of compose.yaml. */
import { read } from '../fixtures/checkout.ts';

export const proxy = ['haproxy.cfg', 'compose.cfg']
  .flatMap((file) => read(`deploy/haproxy/${file}`).split('\n'))
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'));
/** The values of a setting, in the order of the files. */
export const setting = (name: string) =>
  proxy.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
const [, address, resolution] = /^gateway \d+ (\S+) (.*)$/.exec(setting('server-template')[0] ?? '') ?? [];
export const gatewayOfProxy = { address, resolution };
