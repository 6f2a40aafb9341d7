/** The commands of the README's tour do what it shows. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { read } from './fixtures/checkout.ts';
import { TestAccount } from './fixtures/client.ts';
import { runPage } from './fixtures/examples.ts';
import { system } from './fixtures/system.ts';

setDefaultTimeout(60_000);

const README = read('README.md');
const [, tour = ''] = /^## A tour$(.*?)^## /ms.exec(README) ?? [];

test('each command of the tour gets the response that follows it, and no other fails', async () => {
  const account = await TestAccount.create();
  const { compared } = await runPage(tour, {
    LEDGER_API_KEY: account.key,
    LEDGER_URL: system.url,
    SOURCE: account.sources['uk-property'],
  });
  expect(compared).toBe(3);
  expect(await account.entries()).toHaveLength(3);
});
