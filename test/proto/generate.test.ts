/** The TypeScript types of the contract are those that its .proto files give. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// It waits for processes of its own, on a machine that may be busy.
setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, '../..');
const copy = mkdtempSync(join(tmpdir(), 'ledger-test-proto-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs the generator of the copy. */
async function generate(...args: string[]) {
  const child = Bun.spawn([process.execPath, join(copy, 'proto/generate.ts'), ...args], {
    cwd: copy,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const err = await child.stderr.text();
  return { exitCode: await child.exited, err };
}

test('the generated types are up to date, and a changed or missing one is found and written again', async () => {
  // With what proto/ imports, beside the packages of the checkout.
  for (const room of ['proto', 'platform']) cpSync(join(ROOT, room), join(copy, room), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  expect(await generate('--check')).toEqual({ exitCode: 0, err: '' });

  const path = join(copy, 'proto/admin.proto');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('string plan = 1;', 'string tariff = 1;'));
  const isStale = { exitCode: 1, err: expect.stringContaining('proto/generated is stale') };
  expect(await generate('--check')).toEqual(isStale);
  writeFileSync(path, text);
  const generated = 'proto/generated/ledger/v1/Key.ts';
  rmSync(join(copy, generated));
  expect((await generate()).exitCode).toBe(0);
  expect(readFileSync(join(copy, generated), 'utf8')).toBe(readFileSync(join(ROOT, generated), 'utf8'));
});
