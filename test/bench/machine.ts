/** Describes the machine of the measurement. */
import { cpus, totalmem } from 'node:os';
import type { Sql } from './sql.ts';

export interface Machine {
  cores: number;
  cpu: string;
  memoryGb: number;
  platform: string;
  bun: string;
  postgres: string;
  /** The Postgres settings that decide how durable a commit is. */
  settings: Record<string, string>;
}

export async function machine(sql: Sql): Promise<Machine> {
  const settings = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'wal_sync_method')`;
  const [version] = await sql<{ postgres: string }[]>`select current_setting('server_version') as postgres`;
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? '',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    bun: Bun.version,
    postgres: version?.postgres ?? '',
    settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
  };
}
