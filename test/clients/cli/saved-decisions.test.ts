/** The file of `--decide`, saved again by a spreadsheet. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { csv, landlord, NUMBERED } from './landlord.ts';

setDefaultTimeout(60_000);

const withCommas = (text: string) => text.replace('\ufeff', '');
const withSemicolons = (text: string) => text.replaceAll(',', ';');
test.each([
  ['a British', '13/07/2026', '-120', withCommas],
  ['an American', '7/13/2026', '($120.00)', withSemicolons],
  ['a German', '13.07.2026', '"-120,00"', withCommas],
  ['an old', '46216', '-120', (text) => text.replace('PLUMBER', 'PL?MBER')],
])(
  'an answer counts for its row alone in a file of decisions that %s spreadsheet has saved',
  async (_, date, amount, saved) => {
    const { write, push, lines, textOf, stored } = await landlord();
    write('rules.txt', 'otherwise -> ask\n');
    write('one.csv', csv(NUMBERED, '13/07/2026,PLUMBER,-120.00,1'));
    write('two.csv', csv(NUMBERED, '15/07/2026,ROOF,-700.00,1'));
    const decide = '--rules rules.txt --decide d.csv';
    expect(await push('one.csv', decide)).toBe(3);
    // Excel shows letters such as é right by the mark alone.
    expect(textOf('d.csv')).toStartWith('\ufeffdecision,');
    const text = textOf('d.csv').replace('\n,', '\nHouse A,');
    write('d.csv', saved(text.replace('2026-07-13', date).replace("'-120.00", amount)));
    expect([await push('two.csv', decide), lines('d.csv').length]).toEqual([3, 2]);
    expect([await push('one.csv', decide), await stored()]).toEqual([0, ['07-13 -120 A']]);
  },
);
