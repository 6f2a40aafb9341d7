/**
 * Makes the pictures of docs/pictures from the real page and the real command: `bun run pictures`. They show the books of a made-up
 * landlord.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { endRun } from '../../fixtures/end-of-run.ts';
import { landlord } from '../quarterly-update/year-account.ts';
import { paymentsOfYear } from '../quarterly-update/year-model.ts';
import { NEXT_FRAME } from './axe.ts';
import { connect, type Page } from './browser.ts';
import { check, goOn, startImport } from './import-steps.ts';
import { showEntries } from './open-books.ts';
import { newContext } from './open-page.ts';

const PICTURES = join(import.meta.dir, '../../../docs/pictures');
const SEVERAL = 'Several – my rules or a column of the file say which';
const desk = { viewport: { width: 1280, height: 1100 } };
const phone = { viewport: { width: 390, height: 980 }, deviceScaleFactor: 2 };

const { account, folder, paths, rules, run } = await landlord(paymentsOfYear());
const [starling = ''] = paths.filter((path) => path.includes('starling'));
/** The statement with other text, up to a row. */
const changed = (from: string, to: string, rows?: number) => {
  const path = join(mkdtempSync(join(folder, 'changed-')), 'starling.csv');
  writeFileSync(
    path,
    readFileSync(starling, 'utf8').replace(from, to).split('\r\n').slice(0, rows).join('\r\n'),
  );
  return path;
};

try {
  await picture('import-check', { ...desk, colorScheme: 'light' }, (page) =>
    toCheck(page, changed('06/03/2026,AWS', '31/02/2026,AWS')),
  );
  await picture('quarter-check', { ...desk, colorScheme: 'light' }, (page) => toCheck(page, starling));
  const first = changed('', '', 16);
  const { out, err } = await run('push', first, '--rules', rules, '--yes');
  await terminal(
    'command-push',
    `$ ledger push starling.csv --rules rules.txt --yes\n\n${(err + out).replaceAll(`${dirname(first)}/`, '').replaceAll(`${folder}/`, '')}`,
  );
  await picture('quarter-reconciliation', { ...desk, colorScheme: 'light' }, async (page) => {
    await toCheck(page, starling);
    await goOn(page);
    await startImport(page);
    await page.getByRole('button', { name: 'Reconcile this file' }).click();
    await page.getByText('Reconciled: every row').first().waitFor();
  });
  await picture('import-result', { ...phone, colorScheme: 'dark' }, async (page) => {
    await toCheck(page, changed('-20.75', '-21.75'), /^Go on with 0/);
    await page.locator('#filter-probable').check({ force: true });
    await page.getByRole('button', { name: /^Leave out row/ }).click({ force: true });
    await goOn(page);
    await startImport(page);
    await page.getByRole('heading', { name: /^Done:/ }).waitFor();
    await page.getByText('reading…').waitFor({ state: 'detached' });
  });
  await picture('books', { ...desk, colorScheme: 'dark' }, async (page) => {
    await connect(page, account.key);
    await page.getByRole('tab', { name: 'Books' }).click();
    await showEntries(page);
    await page.locator('.books-heading', { hasText: 'all dates' }).waitFor();
    await page.locator('canvas').waitFor();
  });
} finally {
  await endRun();
}

async function toCheck(page: Page, path: string, next = /^Go on with [1-9]/): Promise<void> {
  await connect(page, account.key);
  await page.getByLabel('Import into').selectOption({ label: SEVERAL });
  await page.getByLabel('Files', { exact: true }).setInputFiles(path);
  await check(page);
  await page.getByLabel('Rules file').setInputFiles(rules);
  await page.getByRole('button', { name: next }).waitFor();
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
