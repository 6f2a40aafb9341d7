/** Entries as they are sent: what the rules of the conformance kit (clients/conformance/rules/fields.ts) do not say of them. */
import { expect, setDefaultTimeout, test } from 'bun:test';
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

test.each([
  ['450.00', '450.00 pounds is 45000'],
  ['450.5', '450.5 pounds is 45050'],
  ['1025.07', '1025.07 pounds is 102507'],
  ['0.01', '0.01 pounds is 1'],
  ['90071992547409.91', '90071992547409.91 pounds is 9007199254740991'],
  // These are no pounds and pence, or may be pence already: the example is another amount.
  ...['45000.0', '450.555', '0.00', '-450.50', '4.5e2', '90071992547409.92', `450.${'5'.repeat(40)}`].map(
    (amount) => [amount, '450.00 pounds is 45000'],
  ),
])(
  'an amount that is written as the float %s is refused with the pence it should have been',
  async (amount, example = '') => {
    const [issue] = await issuesOf(json({ amountPence: amount }));
    expect(issue?.message).toStartWith('must be written as a whole number of pence, not as ');
    expect(issue?.message).toEndWith(`: ${example}`);
  },
);

const NAMES = 'accepted: date, type, amountPence, category, description, externalRef';

test.each([
  ['amountPence', '"450.00"', 'must be an integer, not a string: 450.00 pounds is 45000'],
  ['amountPence', '"45000"', 'must be an integer, not a string: 450.00 pounds is 45000'],
  ['amountPence', '-4500', 'must be at least 1: the sign of an amount is its `type`, income or expense'],
  ['amountPence', '0', 'must be at least 1'],
  ['amountPence', '9007199254740992', 'must be at most 9007199254740991'],
  ['note', '1', `is not one of the accepted properties; ${NAMES}`],
  ['tpye', '1', 'is not one of the accepted properties; did you mean type?'],
  ['dat', '1', 'is not one of the accepted properties; did you mean date?'],
])('%s of %s gets a message that says how to correct it', async (name, value, message) => {
  expect(await issuesOf(json({ [name]: value }))).toEqual([{ path: `/${name}`, message }]);
});

test.each(['DELETE', 'PUT', 'PATCH'])(
  '%s of entries or of one entry says where they are corrected',
  async (method) => {
    const path = account.transactions;
    const message = expect.stringMatching(
      /cannot be changed or deleted through the API: correct them in the app/,
    );
    const responses = [
      await account.request(path, { method }),
      await account.request(`${path}/1`, { method }),
    ];
    expect(responses.map(({ status, body }) => [status, body.error])).toEqual([
      [405, { code: 'method_not_allowed', message }],
      [404, { code: 'not_found', message }],
    ]);
    expect(responses[0]?.headers.get('allow')).toBe('GET, HEAD, POST');
  },
);

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

test('a refused request leaves nothing in the process: later entries get no properties from it', async () => {
  const { amountPence: _, ...incomplete } = entry();
  for (const poison of [
    '{"__proto__":{"amountPence":1}}',
    '{"constructor":{"prototype":{"amountPence":1}}}',
  ]) {
    await account.post(poison);
    const { status, body } = await account.post(incomplete);
    expect([status, body.error.issues]).toEqual([
      422,
      [{ path: '/amountPence', message: expect.any(String) }],
    ]);
  }
});
