/** `ledger conformance`, against the real service and at the pace of its limits. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkConformance, RULES, rulesNamed } from '../../../clients/conformance/index.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { directory, runLedger } from '../cli/command.ts';
import { startFaulty } from './proxy.ts';

// Both wait most of their time: they run at the same time.
setDefaultTimeout(600_000);

test.concurrent('the real service fulfils every rule that can be checked, the limits and the daily cap among them', async () => {
  const [first, second, free] = await Promise.all([
    TestAccount.create(),
    TestAccount.create(),
    TestAccount.create('free'),
  ]);
  const file = join(directory, 'conformance.json');
  const sources = ['uk-property', 'self-employment'] as const;
  const { exitCode, out, err } = await runLedger(
    [
      ...['conformance', system.url, '--report', file, '--fill-day'],
      ...sources.flatMap((type) => ['--source', first.sources[type]]),
      ...['--second-source', second.sources['foreign-property']],
    ],
    {
      env: {
        LEDGER_API_KEY: first.key,
        LEDGER_SECOND_API_KEY: second.key,
        LEDGER_FREE_API_KEY: free.key,
      },
    },
  );
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const outcomes = (outcome: string) =>
    report.rules.flatMap((rule: { id: string; outcome: string }) =>
      rule.outcome === outcome ? [rule.id] : [],
    );
  expect(report.rules.filter(({ outcome }: { outcome: string }) => outcome === 'broken')).toEqual([]);
  expect(outcomes('not checked')).toEqual(['keys.revoked', 'requests.server-error']);
  expect([exitCode, report.rules.length]).toEqual([0, RULES.length]);
  expect(out).toContain('0 broken, 2 not checked');
  for (const { key } of [first, second, free]) expect(out + err + JSON.stringify(report)).not.toContain(key);
});

test.concurrent('a service that does not respond breaks the rule, and the run goes on', async () => {
  await using silent = await startFaulty((request, send) =>
    request.path.startsWith('/api/v1/categories') ? new Promise(() => {}) : send(request),
  );
  const [first, second] = silent.accounts;
  const report = await checkConformance({
    url: silent.url,
    keys: { first: first.key, second: second.key },
    sources: { first: [first.sources['uk-property']], second: [second.sources['uk-property']] },
    rules: [...rulesNamed('categories.all'), ...rulesNamed('me.account')],
  });
  expect(report.rules).toEqual([
    expect.objectContaining({ outcome: 'broken', expected: expect.stringContaining('timed out') }),
    expect.objectContaining({ outcome: 'holds' }),
  ]);
});
