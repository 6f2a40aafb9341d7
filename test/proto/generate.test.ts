/** The TypeScript types of the contract are those that its .proto files give. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Each test waits for processes of its own, on a machine that may be busy.
setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, '../..');
const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

/** A copy of proto/ and of what it imports, beside the packages of the checkout. @returns its root */
function copyOfProto(): string {
  const copy = mkdtempSync(join(tmpdir(), 'ledger-test-proto-'));
  copies.push(copy);
  for (const room of ['proto', 'platform']) cpSync(join(ROOT, room), join(copy, room), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function generate(root: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, join(root, 'proto/generate.ts'), ...args], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const err = await child.stderr.text();
  return { exitCode: await child.exited, err };
}

const changeIn = (root: string, file: string, from: string, to: string) => {
  const path = join(root, 'proto', file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  writeFileSync(path, text.replace(from, to));
};

test('the generated types are up to date', async () => {
  expect(await generate(ROOT, '--check')).toEqual({ exitCode: 0, err: '' });
});

test.each([
  ['admin.proto', 'string plan = 1;', 'string tariff = 1;'],
  ['ledger.proto', 'service Ledger {', 'message Unused {}\n\nservice Ledger {'],
])('the check fails when %s has changed, and writing makes it pass', async (file, from, to) => {
  const copy = copyOfProto();
  expect((await generate(copy, '--check')).exitCode).toBe(0);
  changeIn(copy, file, from, to);

  const stale = await generate(copy, '--check');
  expect(stale.exitCode).toBe(1);
  expect(stale.err).toContain('proto/generated is stale');

  expect((await generate(copy)).exitCode).toBe(0);
  expect((await generate(copy, '--check')).exitCode).toBe(0);
});

test('the check fails when a generated file was changed by hand or is missing', async () => {
  const copy = copyOfProto();
  changeIn(copy, 'generated/ledger.ts', 'ledger', 'Ledger');
  expect((await generate(copy, '--check')).exitCode).toBe(1);

  const another = copyOfProto();
  rmSync(join(another, 'proto/generated/ledger/v1/Key.ts'));
  expect((await generate(another, '--check')).exitCode).toBe(1);
});
