/**
 * A real browser with the import page of the real service. Every test ends with the same three checks: no request has left the
 * service's origin, the content security policy was not violated, and nothing is on the console as an error.
 */
import { expect, test } from 'bun:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { TestAccount } from '../../fixtures/client.ts';
import { atEndOfRun } from '../../fixtures/end-of-run.ts';
import { system } from '../../fixtures/system.ts';
import { requireProgram } from '../programs.ts';

/** @throws Error with what to install */
async function findBrowser(): Promise<string> {
  const find = () =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((name) => Bun.which(name)).find(Boolean);
  if (!find()) await requireProgram('chromium');
  return find() ?? '';
}

export type { Page };

let browser: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({
    executablePath: await findBrowser(),
    args: [
      // Containers have a small /dev/shm and no user namespaces.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--enable-precise-memory-info',
      // One process renders all pages of a run: a new one for each page would cost half a second.
      '--disable-gpu',
      '--disable-site-isolation-trials',
      '--disable-features=IsolateOrigins,site-per-process,SpareRendererForSitePerProcess',
      '--renderer-process-limit=1',
      // What leaves the service's origin does not leave the machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  });
  atEndOfRun.push(() => launched.close());
  return launched;
}

export interface Opened {
  page: Page;
  /** Paths of the requests so far, such as `GET /api/v1/me`. */
  requests: string[];
  /** Expects that there were no faults. */
  close(): Promise<void>;
}

export interface OpenOptions {
  path?: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active';
  /** Errors of the console that the test brings about itself: responses of 4xx and lost connections. */
  allowed?: RegExp;
  /** The visitor's language and time zone. They belong to a profile, which the page then has for itself. */
  visitor?: { locale: string; timezoneId?: string };
}

/** A tab, and what it reports to the test that has it open. */
interface Tab {
  page: Page;
  faults: string[];
  requests: string[];
  allowed: RegExp | undefined;
}

async function newTab(options: BrowserContextOptions): Promise<Tab> {
  browser ??= launch();
  const context = await (await browser).newContext({ baseURL: system.url, ...options });
  const tab: Tab = { page: await context.newPage(), faults: [], requests: [], allowed: undefined };
  context.on('request', (request) => {
    const { origin, pathname, protocol } = new URL(request.url());
    if (origin === system.url) tab.requests.push(`${request.method()} ${pathname}`);
    else if (!['blob:', 'data:'].includes(protocol)) tab.faults.push(`request to ${origin}`);
  });
  context.on('weberror', (each) => tab.faults.push(`page error: ${each.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !tab.allowed?.test(message.text()))
      tab.faults.push(`console: ${message.text()}`);
  });
  await context.exposeFunction('reportViolation', (what: string) => tab.faults.push(`CSP: ${what}`));
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (e) => reportViolation(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sourceFile))`,
  );
  return tab;
}

let shared: Promise<Tab> | undefined;

/**
 * Opens the page, as a visitor does who comes for the first time. One tab is used again: a new one takes 1 s. The page keeps rules and
 * nothing else, which the test of the key checks.
 */
export async function openPage(options: OpenOptions = {}): Promise<Opened> {
  const { path = '/import', allowed, visitor, viewport = { width: 1280, height: 720 } } = options;
  if (!visitor) shared ??= newTab({ locale: 'en-GB' });
  const tab = await (visitor ? newTab(visitor) : (shared as Promise<Tab>));
  const { page } = tab;
  const [faults, requests]: [string[], string[]] = [[], []];
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['request', 'download', 'dialog']) page.removeAllListeners(event);
  await page.context().setOffline(false);
  await page.emulateMedia({
    colorScheme: options.colorScheme ?? 'light',
    forcedColors: options.forcedColors ?? 'none',
  });
  await page.setViewportSize(viewport);
  await page.goto('about:blank');
  Object.assign(tab, { faults, requests, allowed });
  await page.goto(path);
  if (await page.evaluate<boolean>('localStorage.length > 0')) {
    await page.evaluate('localStorage.clear()');
    requests.length = 0;
    await page.goto(path);
  }
  const close = async () => {
    expect(faults).toEqual([]);
    if (visitor) await page.context().close();
  };
  return { page, requests, close };
}

/** Gives the page a key, as a person does. */
export async function connect(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change key' }).waitFor();
}

/** The text of what has the focus, or its name. */
export const focused = (page: Page) =>
  page.evaluate<string>(
    `(() => { const e = document.activeElement; return (e.labels?.[0] ?? e).textContent || e.getAttribute('aria-label') || e.tagName })()`,
  );

/** Presses Tab until such an element has the focus. */
export async function tabTo(page: Page, text: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (text.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${text}`);
}

/** A test with the page open and a new account, whose key the page does not have yet. Afterwards there were no faults. */
export function testPage(
  name: string,
  body: (opened: Opened & { account: TestAccount }) => Promise<void>,
  options?: OpenOptions,
): void {
  test(name, async () => {
    const [account, opened] = await Promise.all([TestAccount.create(), openPage(options)]);
    await body({ account, ...opened });
    await opened.close();
  });
}
