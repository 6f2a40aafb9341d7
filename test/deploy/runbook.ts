/** Reads the commands of docs/backup.md by heading and runs them as the user of the server. */
import { postgresFlags, postgresUser } from '../../local/servers/postgres-program.ts';
import { read, runToEnd } from '../fixtures/checkout.ts';
import { openOne } from '../fixtures/database.ts';

// The embedded server's. pg_dump rejects a newer server, pg_basebackup any other version.
const SERVER_VERSION = 18;

/** `where` is the rest of the line of the language, in docs/citus.md the servers. */
export interface Block {
  language: string;
  where: string;
  text: string;
}

/** The code blocks under a heading of a page, without their indentation. */
export function blocksUnder(page: string, heading: string): Block[] {
  const text = read(`docs/${page}`);
  const section = text.split(/^#+ /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const found = [...section.matchAll(/^( *)```(\w+) ?([^\n]*)\n(.*?)^ *```/gms)];
  if (found.length === 0) throw new Error(`docs/${page} has no commands under "${heading}"`);
  return found.map(([, indent = '', language = '', where = '', text = '']) => ({
    language,
    where,
    text: text.replace(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The shell commands under a heading of a page, by block. */
export const commandsUnder = (page: string, heading: string) =>
  blocksUnder(page, heading).flatMap(({ language, text }) => (language === 'sh' ? [text] : []));

/** Those of docs/backup.md in a language, with `/backups` replaced by `backups`. */
export function blocks(heading: string, language: 'sh' | 'ini' | 'sql', backups = '/backups'): string[] {
  const found = blocksUnder('backup.md', heading).filter((block) => block.language === language);
  if (found.length === 0) throw new Error(`docs/backup.md has no ${language} under "${heading}"`);
  return found.map(({ text }) => text.replaceAll('/backups', backups));
}

export function settings(ini: string): Record<string, string> {
  const lines = [...ini.matchAll(/^(\w+) = (?:'(.*)'|(.*))$/gm)];
  return Object.fromEntries(lines.map(([, name, quoted, plain]) => [name, quoted ?? plain]));
}

/** The settings that docs/citus.md requires of each server, as flags of its program. */
export function citusFlags(): string[] {
  const [lines = ''] = /^shared_preload_libraries[^`]*/m.exec(read('docs/citus.md')) ?? [];
  return Object.entries(settings(lines)).map(([name, value]) => `-c ${name}=${value}`);
}

/** Whether the program is installed in the version of the server. */
export function hasClient(program: string): boolean {
  if (Bun.which(program) === null) return false;
  const [, version] = / (\d+)/.exec(Bun.spawnSync([program, '--version']).stdout.toString()) ?? [];
  return Number(version) === SERVER_VERSION;
}

const ids = postgresUser(undefined);

/**
 * Runs a script that can read `mustRead`; the first failing command ends it.
 * @throws Error with its output
 */
export async function run(
  script: string,
  env: Record<string, string> = {},
  mustRead: string[] = [],
): Promise<void> {
  const flags = postgresFlags(ids, mustRead);
  const command = [...(ids ? ['setpriv', ...flags, '--'] : []), 'sh', '-eu', '-c', script];
  const options = { cwd: '/', env: { PATH: process.env.PATH, ...env } };
  const { exitCode, out, err } = await runToEnd(command, options);
  if (exitCode !== 0) throw new Error(`${script}\n${out}${err}`);
}

/** Makes a base backup with the SQL functions of the server, for a machine without pg_basebackup. */
export async function copyByHand(databaseUrl: string, dataDir: string, base: string): Promise<void> {
  // Both functions must run in one session.
  const sql = openOne(databaseUrl);
  try {
    await sql`select pg_backup_start('by hand', fast => true)`;
    await run(
      `cp -a ${dataDir} ${base} && rm -rf ${base}/postmaster.* ${base}/pg_wal/* ${base}/pg_replslot/*`,
      {},
      [dataDir],
    );
    const [stop] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`;
    await run('printf %s "$LABEL" > "$BASE/backup_label"', { LABEL: stop?.labelfile ?? '', BASE: base });
  } finally {
    await sql.end();
  }
}
