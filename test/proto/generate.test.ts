/** The TypeScript types of the contract are those that its .proto files give. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyCheckout, files, read, runToEnd, temporaryDirectory } from '../fixtures/checkout.ts';

// It waits for processes of its own, on a machine that may be busy.
setDefaultTimeout(60_000);

const copy = temporaryDirectory();

/** Runs the generator of the copy. */
const generate = (...args: string[]) =>
  runToEnd([process.execPath, 'proto/generate.ts', ...args], { cwd: copy });

test('the generated types are up to date, and a changed or missing one is found and written again', async () => {
  // With what proto/ imports, beside the packages of the checkout.
  copyCheckout(
    copy,
    files.filter((file) => /^(proto|platform)\//.test(file)),
  );
  expect(await generate('--check')).toMatchObject({ exitCode: 0, err: '' });

  const path = join(copy, 'proto/admin.proto');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('string plan = 1;', 'string tariff = 1;'));
  const isStale = { exitCode: 1, err: expect.stringContaining('proto/generated is stale') };
  expect(await generate('--check')).toMatchObject(isStale);
  writeFileSync(path, text);
  const generated = 'proto/generated/ledger/v1/Key.ts';
  rmSync(join(copy, generated));
  expect((await generate()).exitCode).toBe(0);
  expect(readFileSync(join(copy, generated), 'utf8')).toBe(read(generated));
});
