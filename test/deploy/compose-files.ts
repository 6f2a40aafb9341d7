/** compose.yaml, and deploy/compose.citus.yaml merged into it as Compose does. */
import { read } from '../fixtures/checkout.ts';

export interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  networks: string[];
  ports?: string[];
  healthcheck: { test: string[]; interval: string; start_interval: string; disable?: boolean };
  stop_grace_period?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  restart?: string;
  secrets?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  deploy: { replicas?: string; resources: { limits: { cpus: string; memory: string; pids: number } } };
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file?: string }>;
  volumes: Record<string, object>;
}

/** Mappings are merged, a command and a test are replaced, other lists are joined. */
function merged(base: unknown, added: unknown, name = ''): unknown {
  if (Array.isArray(base) && Array.isArray(added) && !['command', 'test'].includes(name))
    return [...new Set([...base, ...added])];
  if (!isMapping(base) || !isMapping(added)) return added;
  const both = { ...base };
  // What begins with x- is used within its own file only.
  for (const [key, value] of Object.entries(added))
    both[key] = key in base && !key.startsWith('x-') ? merged(base[key], value, key) : value;
  return both;
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (file: string) => Bun.YAML.parse(read(file));

export const PLAIN = parsed('compose.yaml') as Compose;
export const DISTRIBUTED = merged(PLAIN, parsed('deploy/compose.citus.yaml')) as Compose;

/** Of a duration such as `20s`. */
export const seconds = (duration: string | undefined) => Number(/^(\d+)s$/.exec(duration ?? '')?.[1]);
