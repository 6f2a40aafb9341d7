/** Rules about the values of an entry's fields (docs/api/entries.md). */
import type { Context } from '../context.ts';
import type { Json } from '../exchange.ts';
import { expectError, expectSame, expectSameSet, expectStatus, expectThat, pathsOf } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';
import { expectNothingOn } from './entries.ts';

const FIELDS = 'docs/api/entries.md#fields';
const STRICTNESS = 'docs/api/entries.md#strictness';
const ISSUES = 'docs/api/errors.md#issues';

/** An entry as JSON text, with the members exactly as given; undefined leaves one out. */
function written(context: Context, date: string, members: Record<string, string | undefined>): string {
  const entry = Object.entries(context.entry(date)).map(([name, value]) => [name, JSON.stringify(value)]);
  const all = Object.entries({ ...Object.fromEntries(entry), ...members });
  const texts = all.flatMap(([name, text]) =>
    text === undefined ? [] : [`${JSON.stringify(name)}:${text}`],
  );
  return `{${texts.join(',')}}`;
}

/** Sends the first value alone, and all values in one batch: each gets its issue, and nothing else gets one. */
async function refuses(context: Context, name: string, values: (string | undefined)[]): Promise<void> {
  const date = context.day();
  const entries = values.map((value) => written(context, date, { [name]: value }));
  const valid = written(context, date, {});
  const response = await context.account.post(`[${[valid, ...entries]}]`);
  const pointer = name.replace('~', '~0').replace('/', '~1');
  expectError(await context.account.post(entries[0]), 422, 'invalid_transaction', [`/${pointer}`]);
  expectError(
    response,
    422,
    'invalid_transaction',
    entries.map((_, index) => `/${index + 1}/${pointer}`),
  );
  await expectNothingOn(context, date);
}

/** Sends one entry for each of these values, and reads them back. */
async function accepts(context: Context, name: string, values: Json[]): Promise<void> {
  const date = context.day();
  const sent = values.map((value) => context.entry(date, { [name]: value }));
  const response = await context.account.post(sent);
  expectStatus(response, 200, 201);
  const { entries, last } = await context.account.list([date]);
  expectSameSet(
    last,
    entries.map((entry: Json) => entry[name]),
    values,
    `the stored ${name}`,
  );
}

const quotedEach = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text));
const text = (length: number, unit = 'x') => unit.repeat(length);
const WRONG_TYPES = ['null', 'true', '1', '1.5', '[]', '["a"]', '{}'];
// U+0000, and surrogates without their other half.
const FORBIDDEN_TEXTS = ['"a\\u0000b"', '"a\\ud83cb"', '"a\\udfe0b"', '"\\udfe0\\ud83c"'];

const refusedFieldRule = (
  id: string,
  page: string,
  sentence: string,
  name: string,
  values: (string | undefined)[],
): ConformanceRule => ({
  id,
  page,
  sentence,
  check: (context) => refuses(context, name, values),
});
const accepted = (
  id: string,
  page: string,
  sentence: string,
  name: string,
  values: Json[],
): ConformanceRule => ({
  id,
  page,
  sentence,
  check: (context) => accepts(context, name, values),
});

const DATES_REFUSED = [
  ...['0000-01-01', '0000-12-31', '10000-01-01', '-2024-01-01', '+2024-01-01', 'infinity', 'today', ''],
  ...['2023-02-29', '1900-02-29', '2024-02-30', '2024-13-01', '2024-00-10', '2024-01-00', '2024-04-31'],
  ...[
    '2024-1-1',
    '24-01-01',
    '20240101',
    '2024/01/01',
    '01-01-2024',
    '2024‐01‐01',
    '٢٠٢٤-٠١-٠١',
    '2024-01-0１',
  ],
  ...['2024-01-01T00:00:00Z', '2024-01-01T00:00:00', '2024-01-01 00:00', ' 2024-01-01', '2024-01-01 '],
  ...['2024-01-01\n', '2024-01-01\u0000'],
];
const UNKNOWN = ['id', 'notes', 'Date', 'amount', '', 'constructor', '__proto__', 'toString', 'a/b~c'];
// The notation makes an amount a float, regardless of its value and length.
const FLOATS = [
  ...['0.0', '0e0', '1.0', '1e0', '1E2', '450.00', '450.5', '4.5e4', '0.1e1', '45000.0', '0.45e5', '1e-400'],
  ...['1e400', '-1e400', `1${'0'.repeat(36)}e-34`, `45000.${'0'.repeat(50)}`, `1${'0'.repeat(400)}e-399`],
];

const AMOUNTS = 'docs/api/entries.md#amounts';
const MAX = Number.MAX_SAFE_INTEGER;

export const fieldRules: ConformanceRule[] = [
  refusedFieldRule(
    'dates.refused',
    FIELDS,
    'A date is a day that exists, written exactly as YYYY-MM-DD.',
    'date',
    [undefined, ...WRONG_TYPES, ...quotedEach(DATES_REFUSED)],
  ),
  {
    id: 'dates.accepted',
    page: FIELDS,
    sentence: 'Dates from 0001-01-01 to 9999-12-31 are accepted, leap days included.',
    async check(context) {
      const days = ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '1900-02-28', '2023-12-31'];
      const created = await context.account.create(days.map((date) => context.entry(date)));
      for (const [index, date] of days.entries()) {
        // The newest of its day.
        const response = await context.account.page({ from: date, to: date, limit: 1 });
        expectStatus(response, 200);
        expectSame(response, response.body.transactions[0]?.id, created[index]?.id, `the entry of ${date}`);
      }
    },
  },
  refusedFieldRule(
    'amounts.refused',
    AMOUNTS,
    'An amount is 1 to 9007199254740991 as an integer, neither a float nor a text.',
    'amountPence',
    [
      ...[undefined, 'null', 'true', 'false', '"1"', '"45000"', '""', '[1]', '{}', ...FLOATS],
      ...['0', '-0', '-1', '-45000', '9007199254740992', '9007199254740993', `1${'0'.repeat(400)}`],
    ],
  ),
  accepted(
    'amounts.accepted',
    AMOUNTS,
    'The least amount and the greatest are stored exactly.',
    'amountPence',
    [1, 2, MAX - 1, MAX],
  ),
  refusedFieldRule('types.refused', FIELDS, 'A type is income or expense.', 'type', [
    undefined,
    ...WRONG_TYPES,
    ...quotedEach(['Income', 'INCOME', 'incomes', 'transfer', '', ' income']),
  ]),
  refusedFieldRule('categories.wrong-types', FIELDS, 'A category is a text.', 'category', [
    ...WRONG_TYPES,
    ...FORBIDDEN_TEXTS,
  ]),
  refusedFieldRule(
    'descriptions.refused',
    FIELDS,
    'A description has at most 500 characters, counted as code points.',
    'description',
    [
      ...WRONG_TYPES,
      ...FORBIDDEN_TEXTS,
      ...quotedEach([text(501), text(501, '🏠'), text(167, 'e\u0301\u0323')]),
    ],
  ),
  accepted(
    'descriptions.accepted',
    FIELDS,
    'Descriptions of 500 code points come back as they were sent.',
    'description',
    [...['', text(500), text(500, '🏠'), text(250, 'e\u0301'), '\u0001\b\t\n\f\r\u001f\u007f']],
  ),
  refusedFieldRule(
    'references.refused',
    FIELDS,
    'A reference has 1 to 180 characters, counted as code points.',
    'externalRef',
    [...WRONG_TYPES, ...FORBIDDEN_TEXTS, ...quotedEach(['', text(181), text(181, '🏠')])],
  ),
  {
    id: 'references.accepted',
    page: FIELDS,
    sentence: 'References of 180 code points come back as they were sent.',
    check(context) {
      const reference = (unit: string) => `${context.books.reference()}-${text(180, unit)}`;
      const whole = (unit: string) => [...reference(unit)].slice(0, 180).join('');
      return accepts(context, 'externalRef', [whole('x'), whole('🏠'), whole('e\u0301')]);
    },
  },
  {
    id: 'fields.unknown',
    page: STRICTNESS,
    sentence:
      'A property that an entry does not have is refused, and the message names the nearest known one.',
    async check(context) {
      for (const name of UNKNOWN) await refuses(context, name, ['1']);
      const near = await context.account.post(context.entry(context.day(), { amountpence: 1 }));
      expectError(near, 422, 'invalid_transaction', ['/amountpence']);
      const [{ message }] = near.body.error.issues;
      expectThat(near, `${message}`.includes('amountPence'), 'a message that names amountPence');
    },
  },
  {
    id: 'fields.repeated',
    page: STRICTNESS,
    sentence: 'The same property twice in one entry is refused.',
    async check(context) {
      const date = context.day();
      const twice = written(context, date, {}).replace('{', '{"amountPence":1,');
      expectError(await context.account.post(twice), 422, 'invalid_transaction', ['/amountPence']);
      const batch = `[${written(context, date, {})},${twice}]`;
      expectError(await context.account.post(batch), 422, 'invalid_transaction', ['/1/amountPence']);
      await expectNothingOn(context, date);
    },
  },
  {
    id: 'fields.not-an-object',
    page: ISSUES,
    sentence: 'An entry that is no object is refused with a pointer to it.',
    async check(context) {
      const { account } = context;
      for (const scalar of ['null', '1', '"text"']) {
        expectError(await account.post(scalar), 422, 'invalid_transaction', ['']);
      }
      const valid = written(context, context.day(), {});
      const batch = `[${valid},null,1,1.5,"text",true,[],[${valid}],${valid}]`;
      const paths = [1, 2, 3, 4, 5, 6, 7].map((index) => `/${index}`);
      expectError(await account.post(batch), 422, 'invalid_transaction', paths);
    },
  },
  {
    id: 'fields.many-values',
    page: STRICTNESS,
    sentence: 'An entry with more than 64 values has one issue, and the rest of the body none.',
    async check(context) {
      const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`p${index}`, 1]));
      const response = await context.account.post([{}, many, {}]);
      expectError(response, 422, 'invalid_transaction', ['/1']);
    },
  },
  {
    id: 'issues.every-path',
    page: ISSUES,
    sentence:
      'Each failing path is listed once, in all entries: /1/amountPence in an array, /amountPence alone.',
    async check(context) {
      const wrong = {
        date: 1,
        type: 'x',
        amountPence: '1',
        category: null,
        description: [],
        externalRef: '',
        a: 1,
      };
      const names = Object.keys(wrong).map((name) => `/${name}`);
      expectError(await context.account.post(wrong), 422, 'invalid_transaction', names);
      const batch = [{}, context.entry(context.day()), wrong];
      const missing = ['/0/amountPence', '/0/date', '/0/type'];
      const response = await context.account.post(batch);
      expectError(response, 422, 'invalid_transaction', [...missing, ...names.map((name) => `/2${name}`)]);
    },
  },
  {
    id: 'issues.at-most-100',
    page: ISSUES,
    sentence: 'Of more than 100 failing paths 100 are listed.',
    async check(context) {
      const sent = context.entries(context.day(), 150, { amountPence: 0 });
      const response = await context.account.post(sent);
      expectError(
        response,
        422,
        'invalid_transaction',
        sent.slice(0, 100).map((_, index) => `/${index}/amountPence`),
      );
      // Three of each entry: the hundredth is in the middle of one.
      const three = await context.account.post(Array.from({ length: 40 }, () => ({})));
      expectSame(three, pathsOf(three).length, 100, 'the number of issues');
    },
  },
];
