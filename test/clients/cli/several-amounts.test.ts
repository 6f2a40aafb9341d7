/** An agent's statement and a cash book through the command: pushed once, in whatever order and with whatever names its columns have. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { newUser, writeFile } from './command.ts';
import { csv, landlord } from './landlord.ts';

setDefaultTimeout(60_000);

const HEADER = 'Date,House,Rent,Fee,VAT,Repairs,Net';
const ROWS = [
  '10/04/2026,House A,950.00,95.00,19.00,0.00,836.00',
  '10/04/2026,House B,950.00,95.00,19.00,60.00,776.00',
  '10/05/2026,House A,950.00,95.00,19.00,,836.00',
  '12/05/2026,House A,,,,40.00,-40.00',
];
const OPTIONS =
  '--date-format dmy --map source=House,check=Net --amount Rent=in,periodAmount --amount Fee+VAT=out,professionalFees --amount Repairs=out,repairsAndMaintenance';
const STORED = [
  ...['04-10 -114 A', '04-10 -114 B', '04-10 -60 B', '04-10 950 A', '04-10 950 B'],
  ...['05-10 -114 A', '05-10 950 A', '05-12 -40 A'],
];

/** The same table with the columns in another order and other names. */
const changed = (order: readonly number[], names: Record<string, string> = {}) =>
  csv(
    ...([HEADER, ...ROWS].map((row, at) => {
      const cells = row.split(',').map((cell) => (at === 0 ? (names[cell] ?? cell) : cell));
      return order.map((index) => cells[index] ?? '').join(',');
    }) as [string, ...string[]]),
  );

const ORDER = [6, 5, 3, 2, 4, 0, 1];
test.each([
  ['is pushed again', csv(HEADER, ...ROWS), OPTIONS],
  ['has its columns in another order', changed(ORDER), OPTIONS],
  [
    'has a further column',
    csv(`${HEADER},Adverts`, ...ROWS.map((row) => `${row},`)),
    `--amount Adverts=out ${OPTIONS}`,
  ],
  [
    'has other names',
    changed(ORDER, { Rent: 'Zins', Fee: 'Commission', Repairs: 'Arbeiten' }),
    OPTIONS.replace('Rent=', 'Zins=').replace('Fee+VAT', 'VAT+Commission').replace('Repairs', 'Arbeiten'),
  ],
])('an agent’s statement that %s is known whole, and proved', async (_, text, options) => {
  const { write, ledger, push, reconcile, stored } = await landlord();
  write('agent.csv', csv(HEADER, ...ROWS));
  expect(await push('agent.csv', OPTIONS)).toBe(0);
  expect(await stored()).toEqual(STORED);
  write('agent.csv', text);
  const { exitCode, out } = await ledger(`push agent.csv --yes --json ${options}`);
  expect([exitCode, JSON.parse(out)]).toEqual([
    0,
    expect.objectContaining({ created: 0, known: STORED.length, conflicts: [] }),
  ]);
  expect(await reconcile('agent.csv', options)).toBe(0);
  expect(await stored()).toEqual(STORED);
});

test.each([
  ['the entries of the list', 'own.csv', '-s House_A', 'agent.csv', OPTIONS, ['remove 950.00']],
  [
    'the entries of the statement',
    'agent.csv',
    OPTIONS,
    'own.csv',
    '-s House_A',
    ['remove 114.00', 'remove 950.00'],
  ],
])(
  'a rent that a list of your own has alone, and an agent’s statement with its fee, is asked about beside %s, and not stored twice',
  async (_, first, firstOptions, second, secondOptions, removed) => {
    const { write, push, answer, reconcile, lines, stored } = await landlord();
    write('agent.csv', csv(HEADER, '10/04/2026,House A,950.00,95.00,19.00,,836.00'));
    write('own.csv', 'Date,Description,Money in\n2026-04-09,Rent of Smith,950.00\n');
    expect(await push(first, firstOptions)).toBe(0);
    const before = await stored();
    const decided = `--decide d.csv ${secondOptions}`;
    expect(await push(second, decided)).toBe(8);
    expect(await reconcile(second, secondOptions)).toBe(6);
    answer('950', 'leave');
    expect(await push(second, decided)).toBe(5);
    expect(await stored()).toEqual(before);
    expect(await reconcile(second, decided)).toBe(6);
    const correction = (line: string) => `${line.split(',')[0]} ${/\d+\.\d\d/.exec(line)}`;
    expect(lines('list.csv').map(correction).sort()).toEqual(removed);
  },
);

test('the preview has the amounts of the row and their columns', async () => {
  const { write, ledger } = await landlord();
  write('agent.csv', csv(HEADER, ...ROWS));
  const { err } = await ledger(`push agent.csv --dry-run --verbose ${OPTIONS}`);
  expect(err).toContain('Columns  date "Date", source "House", check "Net"');
  expect(err).toContain('Amounts  in "Rent", out "Fee" + "VAT", out "Repairs"');
  expect(err).toMatch(/2#2 +House A +2026-04-10 +expense +114\.00 +professionalFees/);
});

test('another way to add up the columns stores nothing beside the stored entries', async () => {
  const { write, push, reconcile, stored } = await landlord();
  write('agent.csv', csv(HEADER, ...ROWS));
  await push('agent.csv', OPTIONS);
  const apart = OPTIONS.replace('Fee+VAT=out,professionalFees', 'Fee=out,professionalFees --amount VAT=out');
  expect(await push('agent.csv', apart)).toBe(5);
  expect(await reconcile('agent.csv', apart)).toBe(6);
  expect(await stored()).toEqual(STORED);
});

test('a bank row of the net amount is a question, and is not stored beside its parts', async () => {
  const { write, push, stored } = await landlord();
  write('agent.csv', csv(HEADER, ...ROWS));
  await push('agent.csv', OPTIONS);
  write('bank.csv', csv('Date,Paid in,Paid out', '2026-04-10,836.00,'));
  expect(await push('bank.csv')).not.toBe(0);
  expect(await stored()).toEqual(STORED);
});

test('a row that does not add up stops the push', async () => {
  const { write, ledger, stored } = await landlord();
  write('agent.csv', csv(HEADER, ...ROWS, '10/06/2026,House A,950.00,95.00,19.00,,886.00'));
  const { exitCode, err } = await ledger(`push agent.csv --yes ${OPTIONS}`);
  expect([exitCode, await stored()]).toEqual([3, []]);
  expect(err).toContain('The amounts of the row add up to 836.00, and "Net" is 886.00.');
});

test('a cash book beside a bank export has the amounts of its own file', async () => {
  const { account, run } = await newUser();
  const cash = writeFile(
    `cash-${account.accountId}.csv`,
    csv('Date,Details,Rent,Repairs', '10/04/2026,April,950.00,', '12/04/2026,Shop,,12.99'),
  );
  const bank = writeFile(
    `bank-${account.accountId}.csv`,
    csv('Date,Description,Paid in,Paid out', '20/04/2026,WATER,,30.00'),
  );
  const files = [cash, bank, '--account', `${cash}=Cash`, '--account', `${bank}=Bank`];
  const amounts = ['--amount', `${cash}:Rent=in`, '--amount', `${cash}:Repairs=out,,uk-property`];
  const maps = ['--map', `${cash}:description=Details`, '--date-format', 'dmy', '-s', 'uk-property'];
  const push = await run(['push', ...files, ...amounts, ...maps, '--yes', '--json']);
  expect([push.exitCode, push.json()]).toEqual([0, expect.objectContaining({ created: 3 })]);
  expect((await run(['reconcile', ...files, ...amounts, ...maps])).exitCode).toBe(0);
});

test.each(['Rent', '=in', 'Fee+=out', 'Rent=both', 'Fee+VAT=out-'])(
  '--amount %p is refused with the form',
  async (text) => {
    const { write, ledger } = await landlord();
    write('agent.csv', csv(HEADER, ...ROWS));
    const { exitCode, err } = await ledger(`push agent.csv -s House_A --amount ${text}`);
    expect([exitCode, err]).toEqual([2, expect.stringContaining('--amount takes the columns of one amount')]);
  },
);
