/**
 * SPDX-License-Identifier: Apache-2.0
 *
 * Writes a Bruno collection from the description of the API.
 *
 *     bun clients/recipes/bruno/generate.ts FOLDER
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bruno's command line. Too large to be installed with the other packages. */
export const BRUNO = '@usebruno/cli@4.1.0';
const DESCRIPTION = join(import.meta.dir, '../../typescript/openapi.json');

function generate(folder: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'bruno-'));
  try {
    const collection = join(scratch, 'collection');
    const { exitCode, stderr } = Bun.spawnSync([
      ...[process.execPath, 'x', BRUNO, 'import', 'openapi', '--collection-format=bru'],
      ...['--source', DESCRIPTION, '--output', collection, '--collection-name', 'Bookkeeping Ledger API'],
    ]);
    if (exitCode !== 0) throw new Error(`Bruno cannot read the description: ${stderr}`);
    for (const name of readdirSync(collection, { recursive: true, encoding: 'utf8' })) {
      const file = join(collection, name);
      if (statSync(file).isFile()) writeFileSync(file, usable(readFileSync(file, 'utf8')));
    }
    cpSync(collection, folder, { recursive: true });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** With the address of a local service, the source as a variable, and a key of its own for each request. */
function usable(text: string): string {
  return text
    .replace(/^ {2}baseUrl:.*$/m, '  baseUrl: http://127.0.0.1:3000\n  sourceId:')
    .replace(/^(params:path \{\n(?: {2}@.*\n)? {2}id: ).*$/m, '$1{{sourceId}}')
    .replace(/^( {2}Idempotency-Key: ).*$/m, '$1{{$guid}}');
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name the folder to write.');
  generate(folder);
}
