/** The form of a seal is on its page: its example and its script have the digests of the database. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newUser } from '../clients/cli/command.ts';
import { blocksUnder } from '../deploy/runbook.ts';
import { read } from '../fixtures/checkout.ts';
import { entry } from '../fixtures/client.ts';
import { sql } from '../fixtures/system.ts';

setDefaultTimeout(60_000);

test('the example of the page has its digest', () => {
  const [example] = blocksUnder('seals.md', 'The exact bytes').map(({ text }) => text.trimEnd());
  const digest = createHash('sha256')
    .update(example ?? '')
    .digest('hex');
  expect(read('docs/seals.md')).toContain(`\`${digest}\``);
});

test('the script of the page computes the seals of an account from files of `ledger pull`', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'seal-'));
  const [script] = blocksUnder('seals.md', 'Compute a seal yourself').filter(
    ({ language }) => language === 'python',
  );
  writeFileSync(join(directory, 'seal.py'), script?.text ?? '');
  const { account, run } = await newUser();
  const { accountId, sources } = account;
  const texts = ['a|b', 'line\nbreak', '😀 "quoted" \\ \u2028', '', '\u001f', '-1'];
  const seals = [];
  for (const day of ['2026-01-05', '2026-01-07']) {
    const descriptions = texts.map((description, n) => entry({ description, amountPence: n + 1 }));
    const references = texts
      .slice(3)
      .map((text) => entry({ externalRef: `${text}|${day}`, type: 'expense', date: '0001-01-01' }));
    await account.post([...descriptions, ...references, entry()]);
    await account.post([entry({ amountPence: 2 ** 53 - 1 })], { source: sources['self-employment'] });
    const hex = Date.parse(day).toString(16).padStart(12, '0');
    await sql`
      update ledger.entry set entry_id = overlay(overlay(entry_id::text placing ${hex.slice(0, 8)} from 1) placing ${hex.slice(8)} from 10)::uuid
       where account_id = ${accountId} and entry_id > '019c0000-0000-0000-0000-000000000000'`;
    const [{ digest }] = await sql<[{ digest: string }]>`
      select encode((seal).digest, 'hex') as digest from ledger.seal_entries(${accountId}, ${day}::text::date, 1000)`;
    seals.push({ day, digest });
  }
  const files = [];
  for (const id of Object.values(sources)) {
    const file = join(directory, `${id}.ndjson`);
    expect((await run(['pull', '-s', id, '-o', file])).exitCode).toBe(0);
    files.push(file);
  }
  let [before, previous] = ['0', '-'];
  for (const { day, digest } of seals) {
    const { stdout } = Bun.spawnSync([
      'python3',
      join(directory, 'seal.py'),
      accountId,
      before,
      day,
      previous,
      ...files,
    ]);
    expect(stdout.toString()).toBe(`${digest}\n`);
    [before, previous] = [day, digest];
  }
  rmSync(directory, { recursive: true });
});
