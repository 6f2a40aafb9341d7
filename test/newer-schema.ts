/** The schema of a version after this one: a migration more, and functions that need what it adds. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** This version's, as `ledger-worker/sql`. */
export const SQL_FOLDER = join(import.meta.dir, '../ledger-worker/sql');

/** A copy that a test may change. */
export function copySchema(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-schema-'));
  cpSync(SQL_FOLDER, folder, { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Makes it newer by one version, in which a source knows when entries were last created in it: `ledger.source.written_at`. */
export function makeNewer(folder: string): void {
  addMigration(folder, 'source_written_at', 'alter table ledger.source add column written_at timestamptz;\n');
  const counted = 'set transaction_count = transaction_count + added';
  changeFunction(folder, 'create_batches', counted, `${counted}, written_at = v_times[batch]`);
  changeFunction(
    folder,
    'grant_to_worker',
    'removed_at, transaction_count',
    'removed_at, transaction_count, written_at',
  );
}

/** As the newest. */
export function addMigration(folder: string, name: string, text: string): void {
  const directory = join(folder, 'migrations');
  const version = String(readdirSync(directory).length + 1).padStart(4, '0');
  writeFileSync(join(directory, `${version}_${name}.sql`), text);
}

export function changeFunction(folder: string, name: string, from: string, to: string): void {
  const file = join(folder, 'functions', `${name}.sql`);
  const pieces = readFileSync(file, 'utf8').split(from);
  if (pieces.length !== 2) throw new Error(`${name}.sql has ${pieces.length - 1} times: ${from}`);
  writeFileSync(file, pieces.join(to));
}
