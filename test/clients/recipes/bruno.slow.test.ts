/** The Bruno collection of the description: each operation as a request that works. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BRUNO } from '../../../clients/recipes/bruno/generate.ts';
import description from '../../../clients/typescript/openapi.json';
import { rowsOf } from '../../fixtures/books.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';

setDefaultTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'bruno-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROOT = join(import.meta.dir, '../../..');

/** @throws Error with its output when it fails */
async function run(command: string[], cwd: string): Promise<void> {
  const child = Bun.spawn([process.execPath, ...command], { cwd, stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed: ${out}${err}`);
}

test('every operation of the description is a request of the collection, and gets a success', async () => {
  const account = await TestAccount.create();
  const source = account.sources['uk-property'];
  const collection = join(folder, 'collection');
  await run(['clients/recipes/bruno/generate.ts', collection], ROOT);
  const variables = { baseUrl: system.url, token: account.key, sourceId: source };
  const environment = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const report = join(folder, 'report.json');
  await run(['x', BRUNO, 'run', '--env', 'This service', ...environment, '--output', report], collection);
  const [{ results }] = JSON.parse(readFileSync(report, 'utf8'));
  const requests = results.map(({ request, response }: Record<string, Record<string, string>>) => {
    const path = new URL(request?.url ?? '').pathname.replace(source, '{id}');
    return `${request?.method} ${path} ${response?.status}`;
  });
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path} ${method === 'post' ? 201 : 200}`),
  );
  expect(requests.sort()).toEqual(operations.sort());
  expect(await rowsOf(account.accountId)).toHaveLength(1);
});
