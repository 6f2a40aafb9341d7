/** The push of the import page in a real browser, when something comes between: connection, key, pause, daily cap. */
import { describe, expect } from 'bun:test';
import { admin } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { connect, testPage } from './browser.ts';
import { done, goOn, manyRows, openCheck, shownText, startImport, stored, total } from './import-steps.ts';

describe('in the middle of a push', () => {
  testPage('a lost connection is waited for', async ({ account, page, allow }) => {
    allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    await openCheck(page, account, 'many.csv', manyRows(2_000));
    await goOn(page);
    let posts = 0;
    await page.route('**/transactions', async (route) => {
      if (route.request().method() === 'POST' && ++posts === 2) {
        await page.context().setOffline(true);
        return route.abort('internetdisconnected');
      }
      return route.fallback();
    });
    await startImport(page);
    await shownText(page, 'There is no connection. The import goes on as soon as there is one.').waitFor();
    expect(await page.locator('progress').getAttribute('value')).toBe('500');
    await page.context().setOffline(false);
    await done(page);
    expect(await stored(account)).toHaveLength(2_000);
  });

  testPage('entries whose response was lost are counted as created', async ({ account, page, allow }) => {
    allow(/ERR_FAILED/);
    await openCheck(page, account, 'many.csv', manyRows(600));
    await goOn(page);
    let posts = 0;
    await page.route('**/transactions', async (route) => {
      if (++posts > 1) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await startImport(page);
    await done(page);
    expect(await stored(account)).toHaveLength(600);
    expect([await total(page, 'Created'), await total(page, 'Already in the books')]).toEqual(['600', '0']);
  });

  testPage('after a revoked key another one goes on with the rest', async ({ account, page, allow }) => {
    allow(/status of 401/);
    const { keyId, key = '' } = await admin.createKey({ accountId: account.accountId });
    account.key = key;
    await openCheck(page, account, 'many.csv', manyRows(1_500));
    await goOn(page);
    let posts = 0;
    await page.route('**/transactions', async (route) => {
      if (route.request().method() === 'POST' && ++posts === 2) await admin.revokeKey({ keyId });
      return route.fallback();
    });
    await startImport(page);
    await shownText(page, /The key has stopped working\..*kept/).waitFor();
    expect(await stored(account)).toHaveLength(500);
    const { key: other = '' } = await admin.createKey({ accountId: account.accountId });
    await connect(page, other);
    await shownText(page, /^Paused\./).waitFor();
    expect(await page.getByText('The key has stopped working').count()).toBe(0);
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
    await done(page);
    expect(await stored(account)).toHaveLength(1_500);
    expect(await total(page, 'Created')).toBe('1,500');
  });

  testPage('a text for screen readers that is out of date is removed', async ({ account, page }) => {
    await openCheck(page, account, 'many.csv', manyRows(1_000));
    await goOn(page);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let posts = 0;
    await page.route('**/transactions', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      if (++posts === 1) await first.promise;
      else return second.resolve();
      return route.fallback();
    });
    // Until the test ends: other tests use this tab.
    await using _ = { [Symbol.asyncDispose]: () => page.clock.resume() };
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await startImport(page);
    const said = page.locator('.progress [role=status]');
    const progress = page.locator('progress');
    await until('the beginning is said', async () => {
      await page.clock.runFor(50);
      return (await said.count()) > 0 && (await said.textContent()) === '0 of 1,000 entries';
    });
    first.resolve();
    await second.promise;
    await until('the progress is shown', async () => {
      await page.clock.runFor(10);
      return (await progress.getAttribute('value')) === '500';
    });
    await page.clock.runFor(1_100);
    expect(await said.textContent()).toBe('');
    await page.clock.runFor(4_000);
    expect(await said.textContent()).toBe('500 of 1,000 entries');
  });

  testPage('it pauses, warns before the tab closes, and goes on', async ({ account, page }) => {
    await openCheck(page, account, 'many.csv', manyRows(1_500));
    await goOn(page);
    const [isSending, isPausing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/transactions', (route) => {
      isSending.resolve();
      return isPausing.promise.then(() => route.fallback());
    });
    await startImport(page);
    await isSending.promise;
    await page.getByRole('button', { name: 'Pause' }).click();
    isPausing.resolve();
    await shownText(page, /^Paused\. 500 entries/).waitFor();
    const asked = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
    await done(page);
    expect(await stored(account)).toHaveLength(1_500);
  });
});

testPage('at the daily cap it says until when; cancelled, how many', async ({ account, page, allow }) => {
  allow(/status of 429/);
  await openCheck(page, account, 'many.csv', manyRows(5_003));
  await page.getByText('0 already in the books').waitFor();
  await goOn(page);
  await page.getByText('This takes 1 day or more:').waitFor();
  await startImport(page);
  await shownText(
    page,
    /^The account has created 5,000 entries in 24 hours\. The import goes on at /,
  ).waitFor();
  expect(await page.locator('progress').getAttribute('value')).toBe('5000');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Cancel the rest' }).click();
  await page.getByRole('heading', { name: 'Cancelled before the end' }).waitFor();
  expect([await total(page, 'Created'), await total(page, 'Not sent')]).toEqual(['5,000', '3']);
  expect(await stored(account)).toHaveLength(5_000);
});
