/**
 * A real browser with the import page of the real service. Every test ends with the same three checks: no request has left the
 * service's origin, the content security policy was not violated, and nothing is on the console as an error.
 */
import { expect } from 'bun:test';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { canInstall, installServer } from '../../../local/install/server.ts';
import { atEndOfRun } from '../../fixtures/end-of-run.ts';
import { logsDir, system } from '../../fixtures/system.ts';

/** @throws Error with what to install */
async function findBrowser(): Promise<string> {
  const find = () =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((name) => Bun.which(name)).find(Boolean);
  if (!find() && canInstall()) {
    console.log('Installing Chromium (apt-get install chromium) …');
    await installServer(
      'chromium',
      join(logsDir, 'chromium-install.log'),
      new AbortController().signal,
    ).catch(() => {});
  }
  const found = find();
  if (found) return found;
  throw new Error(
    'There is no Chromium on the PATH: the tests of the import page need it. Run "apt-get install chromium".',
  );
}

export type { Page };

let browser: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  const executablePath = await findBrowser();
  const launched = await chromium.launch({
    executablePath,
    // Containers have a small /dev/shm and no user namespaces.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-precise-memory-info'],
  });
  atEndOfRun.push(() => launched.close());
  return launched;
}

export interface Opened {
  page: Page;
  /** What must stay empty. */
  faults: string[];
  /** Paths of the requests so far, such as `GET /api/v1/me`. */
  requests: string[];
  /** Expects that there are no faults, and closes the page. */
  close(): Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  path?: string;
  /** Errors of the console that the test brings about itself: responses of 4xx and lost connections. */
  allowed?: RegExp;
}

/** Opens the page in a new profile. */
export async function openPage({ path = '/import', allowed, ...options }: OpenOptions = {}): Promise<Opened> {
  browser ??= launch();
  const context = await (await browser).newContext({ baseURL: system.url, locale: 'en-GB', ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.origin !== system.url) {
      faults.push(`request to ${url.origin}`);
      return route.abort();
    }
    requests.push(`${route.request().method()} ${url.pathname}`);
    return route.continue();
  });
  await page.exposeFunction('reportViolation', (what: string) => faults.push(`CSP: ${what}`));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (e) => reportViolation(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sourceFile))`,
  );
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !allowed?.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  await page.goto(path);
  const close = async () => {
    expect(faults).toEqual([]);
    await context.close();
  };
  return { page, faults, requests, close };
}

/** Gives the page a key, as a person does. */
export async function connect(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change key' }).waitFor();
}
