/**
 * Makes the pictures of docs/pictures from the real page and the real command: `bun run pictures`. They show the books of a made-up
 * landlord.
 */
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { endRun } from '../../fixtures/end-of-run.ts';
import { admin } from '../../fixtures/system.ts';
import { runLedger, writeFile } from '../cli/command.ts';
import { RULES as YEAR_RULES } from '../quarter/landlord.ts';
import { landlord } from '../quarter/year-account.ts';
import { paymentsOfYear } from '../quarter/year-model.ts';
import { NEXT_FRAME } from './axe.ts';
import { connect, type Page } from './browser.ts';
import { check, drop, goOn, startImport } from './import-steps.ts';
import { showEntries } from './open-books.ts';
import { newContext } from './open-page.ts';

const PICTURES = join(import.meta.dir, '../../../docs/pictures');
const SOURCE = '12 Acacia Avenue';
const SEVERAL = 'Several – my rules or a column of the file say which';

/** An export of Monzo: rent, repairs, insurance and an agent. */
function statement(months: number): string {
  const rows: [date: string, name: string, amount: string][] = [];
  for (let month = 0; month < months; month++) {
    const of = (day: number) => new Date(Date.UTC(2024, 9 + month, day)).toISOString().slice(0, 10);
    rows.push([of(1), 'J Patel, rent', month < 12 ? '1150.00' : '1195.00']);
    rows.push([of(3), 'Acorn Lettings, fee', month < 12 ? '-115.00' : '-119.50']);
    if (month % 3 === 1) rows.push([of(11), 'Wessex Plumbing', `-${80 + ((month * 37) % 190)}.40`]);
    if (month % 4 === 2) rows.push([of(17), 'B&Q, paint and filler', `-${24 + ((month * 13) % 60)}.99`]);
    if (month % 12 === 5) rows.push([of(21), 'Homelet, landlord insurance', '-312.75']);
  }
  const lines = rows.map(([date, name, amount], index) => {
    const [year, month, day] = date.split('-');
    return `tx_${String(index).padStart(5, '0')},${day}/${month}/${year},09:00:00,Faster payment,"${name}",,General,${amount},GBP,${amount},GBP,,,,,`;
  });
  const header =
    'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split';
  return [header, ...lines].join('\n');
}

const RULES = `description contains "rent" -> periodAmount
description contains "Lettings" -> costOfServices
description contains "Plumbing" -> repairsAndMaintenance
description contains "B&Q" -> repairsAndMaintenance
description contains "insurance" -> premisesRunningCosts
`;

const desk = { viewport: { width: 1280, height: 1100 } };
const phone = { viewport: { width: 390, height: 980 }, deviceScaleFactor: 2 };

const { accountId } = await admin.createAccount({ plan: 'pro' });
const key = (await admin.createKey({ accountId })).key;
await admin.createSource({ accountId, type: 'uk-property', name: SOURCE, role: 'owner', sharePercent: 100 });

try {
  await picture('import-check', { ...desk, colorScheme: 'light' }, async (page) => {
    await toCheck(page, statement(23).replace('01/12/2024', '31/11/2024'));
    await page.getByText('Problems only').click();
    await page.getByText('All rows').click();
  });

  const file = writeFile('monzo.csv', statement(23));
  const args = ['push', file, '--source', SOURCE, '--rules', writeFile('rules.txt', RULES), '--yes'];
  const { out, err } = await runLedger(args, { env: { LEDGER_API_KEY: key } });
  const command = `$ ledger push monzo.csv --source "${SOURCE}" --rules rules.txt --yes`;
  await terminal('command-push', `${command}\n\n${(err + out).replaceAll(file, 'monzo.csv')}`);

  await picture('import-result', { ...phone, colorScheme: 'dark' }, async (page) => {
    await toCheck(page, statement(24).replace('-115.00', '-118.00'));
    await goOn(page);
    await startImport(page);
    await page.getByRole('heading', { name: /^Done:/ }).waitFor();
    await page.getByText('reading…').waitFor({ state: 'detached' });
  });

  await picture('books', { ...desk, colorScheme: 'dark' }, async (page) => {
    await connect(page, key);
    await page.getByRole('tab', { name: 'Books' }).click();
    await showEntries(page);
    await page.locator('.books-heading', { hasText: 'all dates' }).waitFor();
    await page.locator('canvas').waitFor();
  });
  const year = await landlord(paymentsOfYear());
  const starling = year.paths.filter((path) => path.includes('starling')).slice(0, 1);
  const toCheckOfYear = async (page: Page) => {
    await connect(page, year.account.key);
    await page.getByLabel('Import into').selectOption({ label: SEVERAL });
    await page.getByLabel('Files', { exact: true }).setInputFiles(starling);
    await check(page);
    const categories = page.locator('summary', { hasText: /^Categories/ });
    await categories.click();
    await page.locator('#rules').fill(YEAR_RULES);
    await page.keyboard.press('Tab');
    await categories.click();
    await page.getByRole('button', { name: /^Go on with/, disabled: false }).waitFor();
  };
  await picture('quarter-check', { ...desk, colorScheme: 'light' }, toCheckOfYear);
  await picture('quarter-proof', { ...desk, colorScheme: 'light' }, async (page) => {
    await toCheckOfYear(page);
    await goOn(page);
    await startImport(page);
    await page.getByRole('button', { name: 'Prove this file' }).click();
    await page.getByText('Proved: every row').first().waitFor();
  });
} finally {
  await endRun();
}

async function toCheck(page: Page, text: string): Promise<void> {
  await connect(page, key);
  await drop(page, 'monzo.csv', text);
  await check(page);
  const categories = page.locator('summary', { hasText: 'Categories' });
  await categories.click();
  await page.locator('#rules').fill(RULES);
  await page.keyboard.press('Tab');
  await categories.click();
  await page.locator('canvas').waitFor();
}

async function picture(
  name: string,
  options: BrowserContextOptions,
  steps: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await newContext(options);
  const page = await context.newPage();
  await page.goto('/import');
  await steps(page);
  await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
  await page.evaluate(NEXT_FRAME);
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
  await context.close();
}

/** The output of a command as a terminal shows it. */
async function terminal(name: string, text: string): Promise<void> {
  const context = await newContext({ viewport: { width: 900, height: 200 } });
  const page = await context.newPage();
  await page.setContent(`<style>
    body { margin: 0; background: #16181d; }
    pre { margin: 0; padding: 24px 28px; color: #e6e6e6; font: 14px/1.45 "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
  </style><pre>${Bun.escapeHTML(text)}</pre>`);
  await page.locator('pre').screenshot({ path: join(PICTURES, `${name}.png`) });
  await context.close();
}
