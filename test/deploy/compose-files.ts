/** compose.yaml, and deploy/compose.citus.yaml merged into it as Compose does. */
import { read } from '../fixtures/checkout.ts';
import type { Json } from './manifests.ts';

/** Mappings are merged, a command and a test are replaced, other lists are joined. */
function merged(base: Json, added: Json, name = ''): Json {
  if (base === undefined || typeof added !== 'object' || ['command', 'test'].includes(name)) return added;
  if (Array.isArray(added)) return [...new Set([...base, ...added])];
  const members = Object.entries(added).map(([key, value]) => [key, merged(base[key], value, key)]);
  return { ...base, ...Object.fromEntries(members) };
}

const parsed = (file: string): Json => Bun.YAML.parse(read(file));

export const PLAIN = parsed('compose.yaml');
export const DISTRIBUTED = merged(PLAIN, parsed('deploy/compose.citus.yaml'));

/** Of a duration such as `20s`. */
export const seconds = (duration = '') => Number(/^(\d+)s$/.exec(duration)?.[1]);
