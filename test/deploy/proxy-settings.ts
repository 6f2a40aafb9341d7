/** The settings of deploy/haproxy/haproxy.cfg. */
import { read } from '../fixtures/checkout.ts';

export const proxy = read('deploy/haproxy/haproxy.cfg')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'));
/** The values of a setting, in the order of the file. */
export const setting = (name: string) =>
  proxy.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
const [, address, checks] = /^gateway \d+ (\S+) (.*)$/.exec(setting('server-template')[0] ?? '') ?? [];
export const gatewayOfProxy = { address, checks };
