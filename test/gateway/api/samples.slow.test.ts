/** Each sample of the description runs as it is, and does what its operation does. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { entry, type Json, TestAccount } from '../../fixtures/client.ts';
import { canRun, type Language, runExample } from '../../fixtures/examples.ts';
import { system } from '../../fixtures/system.ts';
import { fetchDescription, operationsOf } from './openapi-document.ts';

setDefaultTimeout(60_000);

const LANGUAGES: Record<string, Language> = {
  bash: 'sh',
  typescript: 'ts',
  python: 'python',
  javascript: 'js',
};

/** What a sample prints: a part of its response that no other response has. */
const PRINTED: Record<string, (account: TestAccount) => Promise<string> | string> = {
  getMe: ({ accountId }) => accountId,
  listSources: ({ sources }) => sources['uk-property'],
  listCategories: () => 'rentARoomRentsReceived',
  listTransactions: async (account) => {
    const { body } = await account.post(entry());
    return body.transactions[0].id;
  },
  createTransactions: () => 'created',
};

const samples = operationsOf(await fetchDescription()).flatMap(({ operation }) =>
  operation['x-codeSamples'].map(({ lang, source }: Json) => [operation.operationId, lang, source] as const),
);

test('every operation has a sample in each language', () => {
  const expected = Object.keys(PRINTED).flatMap((id) =>
    Object.keys(LANGUAGES).map((language) => `${id} ${language}`),
  );
  expect(samples.map(([id, language]) => `${id} ${language}`).sort()).toEqual(expected.sort());
});

describe.each(samples)('%s', (id, lang, source) => {
  const language = LANGUAGES[lang] as Language;
  test.skipIf(!canRun(language))(`the ${lang} sample`, async () => {
    const account = await TestAccount.create();
    const printed = await PRINTED[id]?.(account);
    const SOURCE = account.sources['uk-property'];
    const output = await runExample(language, source, {
      LEDGER_URL: system.url,
      LEDGER_API_KEY: account.key,
      SOURCE,
    });
    expect(output).toContain(String(printed));
    if (id === 'createTransactions') {
      const stored = (await account.entries()).map(({ amountPence, category }) => [amountPence, category]);
      expect(stored).toEqual([
        [45000, 'periodAmount'],
        [1999, null],
      ]);
    }
  });
});
