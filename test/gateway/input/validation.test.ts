/** Every bound of a transaction as it is sent (docs/api/entries.md). */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();

/** Members of an entry as JSON text, so that a number is sent exactly as it is written here. */
type Fields = Record<string, string | undefined>;

const VALID: Fields = { date: '"2026-04-06"', type: '"income"', amountPence: '45000' };
const valid = json({});

function json(fields: Fields): string {
  const members = Object.entries({ ...VALID, ...fields }).filter(([, text]) => text !== undefined);
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

async function issuesOf(body: unknown): Promise<{ path: string; message: string }[]> {
  const response = await account.post(body);
  expect([response.status, response.body.error?.code]).toEqual([422, 'invalid_transaction']);
  expect(response.body.error.message).toBeString();
  for (const { message } of response.body.error.issues) expect(message).not.toBe('');
  return response.body.error.issues;
}
const pathsOf = async (body: unknown) => (await issuesOf(body)).map(({ path }) => path);

const text = (length: number, unit = 'x') => JSON.stringify(unit.repeat(length));
const WRONG_TYPES = ['null', 'true', '1', '1.5', '[]', '["a"]', '{}'];
const DATES_REFUSED = [
  '0000-01-01',
  '0000-12-31',
  '10000-01-01',
  '2023-02-29',
  '1900-02-29',
  '2024-02-30',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '2024-04-31',
  '2024-1-1',
  '24-01-01',
  '20240101',
  '2024/01/01',
  '01-01-2024',
  '-2024-01-01',
  '+2024-01-01',
  '2024-01-01T00:00:00Z',
  '2024-01-01T00:00:00',
  '2024-01-01 00:00',
  ' 2024-01-01',
  '2024-01-01 ',
  '2024-01-01\n',
  '2024-01-01\u0000',
  '',
  'today',
  'infinity',
  '٢٠٢٤-٠١-٠١',
  '2024-01-0１',
  '2024‐01‐01',
];
const AMOUNTS_REFUSED = [
  ...['null', 'true', 'false', '"1"', '"45000"', '""', '[1]', '{}', `1${'0'.repeat(400)}`],
  ...'0 -0 -1 -45000 9007199254740992 9007199254740993 1e0 1E2 0.0 0e0 1.0 450.00 450.5 4.5e4 0.1e1'.split(
    ' ',
  ),
  ...'1e-400 1e400 -1e400 45000.0 0.45e5 1000000000000000000000000000000000000e-34'.split(' '),
  // An amount is a float as it is written, however long.
  ...[`45000.${'0'.repeat(50)}`, `1${'0'.repeat(31)}e-30`, `1${'0'.repeat(400)}e-399`],
];
const TEXTS_REFUSED = ['"a\\u0000b"', '"a\\ud83cb"', '"a\\udfe0b"', '"\\udfe0\\ud83c"'];
const quoted = (texts: string[]) => texts.map((each) => JSON.stringify(each));

/** By the name of a property, what it may not be; undefined: it may not be missing. */
const REFUSED: [name: string, values: (string | undefined)[]][] = [
  ['date', [undefined, ...WRONG_TYPES, ...quoted(DATES_REFUSED)]],
  [
    'type',
    [undefined, ...WRONG_TYPES, ...quoted(['Income', 'INCOME', 'incomes', 'transfer', '', ' income'])],
  ],
  ['amountPence', [undefined, ...AMOUNTS_REFUSED]],
  ['category', [...WRONG_TYPES, ...TEXTS_REFUSED]],
  // 501 characters, also of four bytes each, and 501 code points in 167 letters with marks.
  ['description', [...WRONG_TYPES, ...TEXTS_REFUSED, text(501), text(501, '🏠'), text(167, 'e\u0301\u0323')]],
  ['externalRef', [...WRONG_TYPES, ...TEXTS_REFUSED, '""', text(181), text(181, '🏠')]],
  ...['id', 'notes', 'Date', 'amount', '', 'constructor', '__proto__', 'toString', 'a/b~c'].map(
    (name): [string, string[]] => [name, ['{}']],
  ),
];
const CASES = REFUSED.flatMap(([name, values]) =>
  values.map((value): [string, Fields, string] => [
    `${name} is ${value?.slice(0, 21) ?? 'missing'}`,
    { [name]: value },
    `/${name.replace('~', '~0').replace('/', '~1')}`,
  ]),
);

test.each(CASES)(
  'refused, with a pointer to where, alone and within an array: %s',
  async (_, fields, path) => {
    expect(await pathsOf(json(fields))).toEqual([path]);
    expect(await pathsOf(`[${[valid, valid, valid, json(fields), valid]}]`)).toEqual([`/3${path}`]);
  },
);

const ACCEPTED: [name: string, fields: Fields][] = [
  ...['1', '2', '9007199254740991'].map((value): [string, Fields] => [
    `amountPence is ${value}`,
    { amountPence: value },
  ]),
  ...['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '1900-02-28', '2023-12-31'].map(
    (value): [string, Fields] => [`date is ${value}`, { date: JSON.stringify(value) }],
  ),
  ['type is expense', { type: '"expense"' }],
  ['description is empty', { description: '""' }],
  ['description has 500 characters', { description: text(500) }],
  ['description has 500 four-byte characters', { description: text(500, '🏠') }],
  ['description has 500 code points in 250 letters with marks', { description: text(250, 'e\u0301') }],
  [
    'description holds every other control character',
    { description: '"\\u0001\\b\\t\\n\\f\\r\\u001f\\u007f"' },
  ],
  ['description holds a pair of surrogates as escapes', { description: '"\\ud83c\\udfe0"' }],
  ['externalRef has 1 character', { externalRef: '"1"' }],
  ['externalRef has 180 characters', { externalRef: text(180) }],
  ['externalRef has 180 four-byte characters', { externalRef: text(180, '🏠') }],
  ['category is a key of the source', { category: '"periodAmount"' }],
];

test.each(ACCEPTED)('accepted, and comes back as it was sent: %s', async (_, fields) => {
  const sent = { category: null, description: null, externalRef: null, ...JSON.parse(json(fields)) };
  const created = await account.post(json(fields));
  expect(created.status).toBe(201);
  const { body } = await account.page({ from: sent.date, to: sent.date, limit: 1 });
  expect(body.transactions).toEqual([{ id: created.body.transactions[0].id, ...sent }]);
});

test.each([
  ['450.00', '450.00 pounds is 45000'],
  ['450.5', '450.5 pounds is 45050'],
  ['1025.07', '1025.07 pounds is 102507'],
  ['0.01', '0.01 pounds is 1'],
  ['90071992547409.91', '90071992547409.91 pounds is 9007199254740991'],
  // These are no pounds and pence, or may be pence already: the example is another amount.
  ...[
    '45000.0',
    '450.555',
    '0.00',
    '-450.50',
    '1e3',
    '4.5e2',
    '90071992547409.92',
    `450.${'5'.repeat(40)}`,
  ].map((amount) => [amount, '450.00 pounds is 45000']),
])(
  'an amount that is written as the float %s is refused with the pence it should have been',
  async (amount, example = '') => {
    const [issue] = await issuesOf(json({ amountPence: amount }));
    expect(issue?.message).toStartWith('must be written as a whole number of pence, not as ');
    expect(issue?.message).toEndWith(`: ${example}`);
  },
);

test.each(['"450.50"', 'true', '[450.5]'])(
  'an amount that is %s is no number: no pence are proposed',
  async (amount) => {
    const [issue] = await issuesOf(json({ amountPence: amount }));
    expect(issue?.message).toStartWith('must be an integer, not ');
  },
);

test('an unknown property that is nearly a known one is refused with the known one', async () => {
  const [issue] = await issuesOf(entry({ amountpence: 1 }));
  expect(issue?.message).toContain('did you mean amountPence?');
});

test('an entry that is not an object is refused with a pointer to it', async () => {
  for (const value of ['null', '1', '1.5', '"text"', 'true', '[]', `[${valid}]`]) {
    expect(await pathsOf(`[${valid},${value}]`)).toEqual(['/1']);
  }
});

test('every failing path of an entry is listed, each once', async () => {
  const wrong = {
    date: 1,
    type: 'x',
    amountPence: '1',
    category: null,
    description: [],
    externalRef: '',
    a: 1,
    b: 2,
  };
  const names = Object.keys(wrong).map((name) => `/${name}`);
  expect((await pathsOf(wrong)).sort()).toEqual(names.sort());
  expect((await pathsOf({})).sort()).toEqual(['/amountPence', '/date', '/type']);
});

test('failing paths of several entries are listed in their order', async () => {
  const body = [{}, valid, { date: '2024-02-30' }, valid].map((item) => (item === valid ? entry() : item));
  const paths = await pathsOf(body);
  expect(paths.slice(0, 3).sort()).toEqual(['/0/amountPence', '/0/date', '/0/type']);
  expect(paths.slice(3).sort()).toEqual(['/2/amountPence', '/2/date', '/2/type']);
});

test('of more than 100 failing paths the first 100 are listed', async () => {
  const entries = Array.from({ length: 150 }, () => entry({ amountPence: 0 }));
  expect(await pathsOf(entries)).toEqual(Array.from({ length: 100 }, (_, index) => `/${index}/amountPence`));
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, 1]));
  expect(await pathsOf(Array(3).fill(entry(properties)))).toHaveLength(100);
  // Three to an entry: the hundredth is in the middle of one.
  expect(await pathsOf(Array.from({ length: 40 }, () => ({})))).toHaveLength(100);
});

/** Each character as an escape of JSON. */
const escaped = (text: string) =>
  text.replace(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

// As JSON writes it: the name of the amount, or the colons of its texts, need not be seen in the body.
test.each([
  ['"amountPenc\\u0065":450.00', '/amountPence'],
  [`"${escaped('amountPence')}":450.00`, '/amountPence'],
  ['"amountPence":1,"amountPence":2,"description":"a\\u003ab"', '/amountPence'],
  ['"amountPence":1,"description":"a","d\\u0065scription":"b"', '/description'],
])('an escape hides neither a float nor a name that is given twice: %s', async (members, path) => {
  const body = `{"date":"2026-04-06","type":"income",${members}}`;
  expect(await pathsOf(body)).toEqual([path]);
  expect(await pathsOf(`[${valid},${body}]`)).toEqual([`/1${path}`]);
});

test('an entry with more than 64 values, nested ones included, is one issue; no other is looked for', async () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 1]));
  const nested = (count: number) => entry({ description: Array(count).fill([]) });
  expect(await pathsOf([entry(members(61)), entry()])).toHaveLength(61);
  expect(await pathsOf(nested(30))).toEqual(['/description']);
  for (const large of [entry(members(62)), nested(60), Array(65).fill(1), Array(33).fill([1])]) {
    expect(await pathsOf([{}, large, {}])).toEqual(['/1']);
  }
  expect(await pathsOf(entry(members(62)))).toEqual(['']);
});

test('one invalid entry of 500: none of them is stored', async () => {
  const before = await rowsOf(account.accountId);
  for (const index of [0, 250, 499]) {
    const entries = Array.from({ length: 500 }, (_, at) => entry({ amountPence: at === index ? 0 : 1 }));
    expect(await pathsOf(entries)).toEqual([`/${index}/amountPence`]);
  }
  expect(await rowsOf(account.accountId)).toEqual(before);
});

test('no refused entry is stored', async () => {
  expect(await rowsOf(account.accountId)).toHaveLength(ACCEPTED.length);
});
