/** Entries of rows that a later file without an account lacks: a list, applied, leads to books that prove, and a push stores nothing again. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { sql } from '../../fixtures/system.ts';
import { csv, landlord, NUMBERED } from './landlord.ts';

setDefaultTimeout(60_000);

const DECIDE = '-s House_A --decide d.csv';
const row = (line: string) => expect.stringMatching(new RegExp(`^${line}`));
const [FIRST, LAST] = ['11/06/2026,X,-1.00', '29/06/2026,Y,-2.00'];
/** Equal payments of a day with these ids, between two others. */
const equal = (of: string, ...ids: string[]) =>
  csv(NUMBERED, `${FIRST},${of}1`, ...ids.map((id) => `13/06/2026,PARKING,-3.00,${id}`), `${LAST},${of}9`);

describe('an entry is the row of one file, and a later file without an account', () => {
  test.each([
    ['lacks one of three equal payments', equal('T', 'A', 'B', 'C'), equal('T', 'A', 'B')],
    [
      'lacks one of two payments with one amount',
      csv(NUMBERED, `${FIRST},1`, '13/06/2026,PARKING,-3.00,A', '14/06/2026,TOLL,-3.00,B', `${LAST},9`),
      csv(NUMBERED, `${FIRST},1`, '13/06/2026,PARKING,-3.00,A', `${LAST},9`),
    ],
  ])('%s: it is to be checked, whatever the later file alone was answered', async (_, a, b) => {
    const { write, push, reconcile, lines, answer } = await landlord();
    write('a.csv', a);
    write('b.csv', b);
    expect([await push('a.csv b.csv', DECIDE), await reconcile('a.csv b.csv', DECIDE)]).toEqual([0, 6]);
    const check = [row('check,House A,.*b.csv does not have it. Reconcile the right file alone')];
    expect(lines('list.csv')).toEqual(check);
    expect(await reconcile('b.csv', DECIDE)).toBe(6);
    answer('-3.00', 'leave');
    expect([await reconcile('b.csv', DECIDE), lines('list.csv')]).toEqual([6, [row('remove,House A')]]);
    expect([await reconcile('a.csv b.csv', DECIDE), lines('list.csv')]).toEqual([6, check]);
  });

  test.each([
    ['its payment with another id', [equal('T', 'A'), equal('U', 'B')], 1, 0],
    [
      'two of its three equal payments with other ids',
      [equal('T', 'A', 'B', 'C'), equal('U', 'D', 'E')],
      2,
      6,
    ],
    [
      'its payment with another id, and so has a third one',
      [equal('T', 'A'), equal('U', 'B'), equal('V', 'C')],
      2,
      0,
    ],
  ])(
    'has %s: the list removes second records, and no push stores one again',
    async (_, files, removed, proof) => {
      const { write, push, reconcile, lines, answer, stored } = await landlord();
      const names = files.map((text, index) => {
        write(`${index}.csv`, text);
        return `${index}.csv`;
      });
      for (const name of names) expect(await push(name, '-s House_A --send-probable')).toBe(0);
      const all = names.join(' ');
      const before = (await stored()).length;
      expect(await reconcile(all, DECIDE)).toBe(6);
      answer('PARKING', 'leave');
      expect(await reconcile(all, DECIDE)).toBe(6);
      const ids = lines('list.csv').flatMap(
        (line) => /^remove.*?([0-9a-f]{8}-[0-9a-f-]{27})/.exec(line)?.[1] ?? [],
      );
      expect(ids).toHaveLength(removed);
      await sql`delete from ledger.entry where entry_id in ${sql(ids)}`;
      expect([await push(all, DECIDE), await reconcile(all, DECIDE)]).toEqual([0, proof]);
      expect((await stored()).length).toBe(before - removed);
      expect(lines('list.csv').filter((line) => line.startsWith('remove'))).toEqual([]);
    },
  );
});
