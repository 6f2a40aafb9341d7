/** Whatever an assistant does, nothing is stored twice, and nothing that no committed preview has shown. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { play } from './bad-assistant.ts';
import { accepted, type Payment } from './statements.ts';

setDefaultTimeout(120_000);

test.each(['1', '2'])('an assistant that does everything wrong, by the seed %s', async (seed) => {
  const played = await play(seed, 50);
  const { doubled, unseen, stored } = await accepted(played);
  const { faults, transcript } = played;
  expect({ seed, faults, doubled, unseen }).toEqual({ seed, faults: [], doubled: [], unseen: [] });
  expect(stored).toBeGreaterThan(0);
  // It has met what it is for.
  const all = transcript.join('\n');
  for (const met of [/[1-9] created/, /[1-9] known/, /[1-9] probably known/, /refused/, /restart/]) {
    expect(all).toMatch(met);
  }
});

test('an entry that is stored twice, and one that no committed preview showed, are found', async () => {
  const played = await play('4', 12);
  const { account } = played;
  const entry = { date: '2026-05-11', type: 'income', amountPence: 100, description: 'Rent' };
  await account.post({ ...entry, externalRef: 'one' });
  const statement: Payment[] = [{ date: entry.date, description: 'Rent', pence: 100 }];
  const shown = { ...entry, category: null, source: 'uk-property', reference: 'one' };
  const committed = [...played.committed, { token: '', statement, entries: [shown] }];
  expect(await accepted({ account, committed })).toMatchObject({ doubled: [], unseen: [] });
  await account.post({ ...entry, externalRef: 'two' });
  expect(await accepted({ account, committed })).toMatchObject({
    doubled: [{ amountPence: 100 }],
    unseen: [{ externalRef: 'two' }],
  });
});
