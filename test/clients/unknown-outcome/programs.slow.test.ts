/**
 * As for the libraries: the command, the page and the assistants report an unknown outcome, or find the entries in the books. Tests wait
 * for attempts most of their time, and so run at once.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerError } from '../../../clients/typescript/index.ts';
import { type PushState, reportOf } from '../../../clients/web/import/push-state.ts';
import { openSession } from '../../../clients/web/key/session.ts';
import { atOnce } from '../../fixtures/at-once.ts';
import { until } from '../../fixtures/until.ts';
import { directory, runLedger, statementOf } from '../cli/command.ts';
import { startAssistant } from '../mcp/assistant.ts';
import { check, newImporter, openFile } from '../web/importer-fixture.ts';
import { CASES, OTHER_SERVER, ofApi, type Service, unreliable } from './cases.ts';

setDefaultTimeout(120_000);

const ROWS = ['2026-05-11,Rent Smith,450.00', '2026-05-12,Plumber,-80.50', '2026-05-13,Agent,-9.00'];
const STATEMENT = statementOf('unknown.csv', ...ROWS);
const statusesOf = (report: string) =>
  report
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[1]);

/** Each client pushes a file of three rows. @returns the message, the report by row, and the number of rows whose outcome is unknown */
const OF_FILES: Record<
  string,
  (service: Service) => Promise<{ text: string; statuses: unknown[]; unknown: unknown }>
> = {
  async 'the command'({ url, account }) {
    const env = { LEDGER_URL: url, LEDGER_API_KEY: account.key };
    const report = join(directory, `unknown-${account.accountId}.csv`);
    const args = ['push', STATEMENT, '-s', 'uk-property', '--yes', '--report', report];
    const { exitCode, out, json } = await runLedger([...args, '--json'], { env });
    expect(exitCode).toBe(1);
    const { error, unknown } = json();
    return {
      text: `${error.code} ${error.message} ${out}`,
      statuses: statusesOf(readFileSync(report, 'utf8')),
      unknown,
    };
  },
  async 'the page'({ url, account }) {
    const { importer } = await newImporter({ onKeyRefused: () => {} }, account);
    importer.setSession(await openSession(url, account.key));
    importer.chooseSource(account.sources['uk-property']);
    await openFile(importer, { name: 'file.csv', bytes: readFileSync(STATEMENT) });
    await check(importer);
    importer.go('push');
    importer.startPush();
    await until('the push has failed', () => importer.state.value.push?.status === 'failed');
    const push = importer.state.value.push as PushState;
    const { code, message } = push.error as LedgerError;
    const statuses = statusesOf(reportOf(push));
    return { text: `${code} ${message}`, statuses, unknown: push.unknownIndexes.length };
  },
  async 'the assistants'({ url, account }) {
    await using assistant = await startAssistant(account.key, { env: { LEDGER_URL: url } });
    const rows = readFileSync(STATEMENT, 'utf8');
    const { token } = await assistant.do('preview_rows', { rows, source: 'uk-property' });
    const { isComplete, advice, entries, unknown } = await assistant.do('commit_preview', { token });
    expect(isComplete).toBe(unknown === 0);
    return { text: advice, statuses: entries.rows.map(({ status }: { status: string }) => status), unknown };
  },
};

/** At the daily cap, command and page wait. */
const WITHOUT_WAIT = CASES.filter(([name]) => !name.endsWith('the daily cap'));

describe.each(Object.entries(OF_FILES))('%s:', (_, pushFile) => {
  test.concurrent.each(WITHOUT_WAIT)(
    '%s, and the books cannot be read: the outcome is unknown',
    atOnce(async (_name, first, later) => {
      await using service = await unreliable([first, later], { areReadsLost: true });
      const { text, statuses, unknown } = await pushFile(service);
      expect(text).toContain('may be stored');
      expect([statuses, unknown]).toEqual([Array(3).fill('unknown'), 3]);
      expect(await service.stored()).toBe(3);
    }),
  );

  test('if the books can be read, they settle the outcome', async () => {
    await using service = await unreliable(['drop response', OTHER_SERVER]);
    const { text, statuses, unknown } = await pushFile(service);
    expect(text).not.toContain('may be stored');
    expect([statuses, unknown]).toEqual([Array(3).fill('known'), 0]);
  });

  test('a refused first attempt stores nothing', async () => {
    await using service = await unreliable([OTHER_SERVER]);
    const { text, statuses, unknown } = await pushFile(service).catch(({ message }) => ({
      text: message,
      statuses: Array(3).fill('not sent'),
      unknown: 0,
    }));
    expect(text).not.toContain('may be stored');
    expect([statuses, unknown]).toEqual([Array(3).fill('not sent'), 0]);
    expect(await service.stored()).toBe(0);
  });
});

const FIREWALL = { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>' };

test.concurrent.each(Object.entries(OF_FILES))(
  '%s: a firewall that lets no write pass ends the push, and the books settle the outcome',
  atOnce(async (_, pushFile) => {
    await using service = await unreliable([FIREWALL]);
    const { text, statuses, unknown } = await pushFile(service).catch(({ message }) => ({
      text: message,
      statuses: Array(3).fill('not sent'),
      unknown: 0,
    }));
    expect(text).toContain('a proxy or firewall on the way refused the request');
    expect([statuses, unknown]).toEqual([Array(3).fill('not sent'), 0]);
    expect(service.keys().length).toBe(4);
  }),
);

test.concurrent(
  'the comparisons between attempts do not prolong the retry timeout',
  atOnce(async () => {
    const failing = { ...ofApi(503, 'server_error'), headers: { 'retry-after': '6' } };
    await using service = await unreliable([failing]);
    // Of 10 s: the second pause of 6 s is too long.
    const pushing = OF_FILES['the assistants']?.(service);
    expect(await pushing?.catch(({ message }) => message)).toContain('The code is server_error.');
    expect(service.keys().length).toBe(2);
  }),
);

test.concurrent(
  'the command says how many of several requests are stored at least',
  atOnce(async () => {
    await using service = await unreliable(['pass', 'drop response', OTHER_SERVER], { areReadsLost: true });
    const rows = Array.from({ length: 1_200 }, (_, n) => `2026-05-11,Row ${n},${n + 2}.00`);
    const env = { LEDGER_URL: service.url, LEDGER_API_KEY: service.account.key };
    const file = statementOf('several-requests.csv', ...rows);
    const { exitCode, out, err } = await runLedger(['push', file, '-s', 'uk-property', '--yes'], { env });
    expect([exitCode, await service.stored()]).toEqual([1, 1_000]);
    const line = 'At least 500 of 1200 new entries are stored. The outcome of 500 entries is unknown';
    expect(out).toContain(`${line}; running the command again stores none twice.`);
    expect(err).toContain('may be stored');
    service.recover();
    expect((await runLedger(['push', file, '-s', 'uk-property', '--yes'], { env })).exitCode).toBe(0);
    expect(await service.stored()).toBe(1_200);
  }),
);
