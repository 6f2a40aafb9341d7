/** The conformance kit, against the real service and against services that break one rule each. Most of their time they wait, so those run at once. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConformanceOptions,
  checkConformance,
  type Report,
  RULES,
  rulesNamed,
} from '../../../clients/conformance/index.ts';
import { startGateway } from '../../../local/system.ts';
import { atOnce } from '../../fixtures/at-once.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { admin, system } from '../../fixtures/system.ts';
import { directory, runLedger } from '../cli/command.ts';
import { FAULTS } from './faults.ts';
import { startFaulty } from './proxy.ts';

setDefaultTimeout(60_000);

type Service = Pick<Awaited<ReturnType<typeof startFaulty>>, 'url' | 'accounts'>;

/** A run for the two accounts, at the pace of the limits. */
async function reportOn(
  { accounts: [first, second], ...service }: Service,
  { keys, ...options }: Partial<ConformanceOptions>,
): Promise<Report> {
  const report = await checkConformance({
    ...service,
    keys: { first: first.key, second: second.key, ...keys },
    sources: {
      first: [first.sources['uk-property'], first.sources['self-employment']],
      second: [second.sources['foreign-property'], second.sources['uk-property']],
    },
    fillDay: true,
    ...options,
  });
  for (const { key } of [first, second]) expect(JSON.stringify(report)).not.toContain(key);
  return report;
}

const idsOf = ({ rules }: Report, wanted: string) =>
  rules.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : []));

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The timeout of the service would be waited for; a proxy cannot pass on a malformed host. */
const WITHOUT_PROXY = ['requests.host', 'requests.silent-body'];

const readingKey = async ({ accounts: [{ accountId }] }: Service) =>
  (await admin.createKey({ accountId, readOnly: true })).key;

/** One run for all of its rules. */
const realRun = lazily(async () => {
  await using service = await startFaulty();
  const { key: free } = await TestAccount.create('free');
  return await reportOn(service, {
    rules: RULES.filter(({ id }) => !WITHOUT_PROXY.includes(id)),
    keys: { free, readOnly: await readingKey(service) } as ConformanceOptions['keys'],
  });
});

/** These need a key that is revoked meanwhile, and a service that fails. */
const NOT_CHECKED = ['keys.revoked', 'requests.server-error'];

test.each(RULES.map(({ id }) => id).filter((id) => ![...WITHOUT_PROXY, ...NOT_CHECKED].includes(id)))(
  'the real service keeps the rule %s',
  async (rule) => {
    const { rules } = await realRun();
    expect(rules.find(({ id }) => id === rule)).toMatchObject({ outcome: 'holds' });
  },
);

test('a rule whose condition is missing is reported as not checked', async () => {
  const report = await realRun();
  expect(idsOf(report, 'not checked')).toEqual(NOT_CHECKED);
  expect(report.rules.length).toBe(RULES.length - WITHOUT_PROXY.length);
});

test.concurrent(
  'the limit of a minute holds, although a refusal overtakes the responses to requests before it',
  atOnce(async () => {
    await using service = await startFaulty(async (request, send) => {
      const reply = await send(request);
      if (reply.status === 200 && Number(reply.headers.get('x-ratelimit-remaining')) < 20)
        await Bun.sleep(200);
      return reply;
    });
    const report = await reportOn(service, { rules: rulesNamed('limits.minute'), fillDay: false });
    expect(report.rules.map(({ id, outcome }) => [id, outcome])).toEqual([['limits.minute', 'holds']]);
  }),
);

test.concurrent(
  'the real service refuses a malformed host, and a body that does not arrive',
  atOnce(async () => {
    const { workerAddress, redisUrl } = system;
    const gateway = await startGateway({ workerAddress, redisUrl, env: { BODY_TIMEOUT_MS: '200' } });
    try {
      const accounts = await Promise.all([TestAccount.create(), TestAccount.create()]);
      const rules = WITHOUT_PROXY.flatMap(rulesNamed);
      expect(idsOf(await reportOn({ url: gateway.url, accounts }, { rules }), 'holds')).toEqual(
        WITHOUT_PROXY,
      );
    } finally {
      await gateway.stop();
    }
  }),
);

test.concurrent.each(FAULTS)(
  'a service that %s breaks these rules',
  atOnce(async (_, fault, broken) => {
    await using service = await startFaulty(fault());
    const rules = RULES.filter(({ id }) => broken.includes(id));
    const keys = { readOnly: await readingKey(service) } as ConformanceOptions['keys'];
    const report = await reportOn(service, { rules, keys });
    expect(idsOf(report, 'broken').sort()).toEqual(broken.toSorted());
    for (const { request, response, expected } of report.rules) {
      expect([request, response, expected]).not.toContain(undefined);
    }
  }),
);

test.concurrent(
  'a service that does not respond breaks the rule, and the run goes on',
  atOnce(async () => {
    await using silent = await startFaulty((request, send) =>
      request.path.startsWith('/api/v1/categories') ? new Promise(() => {}) : send(request),
    );
    const rules = [...rulesNamed('categories.all'), ...rulesNamed('me.account')];
    // The other rule responds within it, on a slow machine too.
    const report = await reportOn(silent, { rules, timeoutMs: 2_000 });
    expect(report.rules).toEqual([
      expect.objectContaining({ outcome: 'broken', expected: expect.stringContaining('timed out') }),
      expect.objectContaining({ outcome: 'holds' }),
    ]);
  }),
);

test.concurrent(
  'an outage breaks no rule: those that are left are not checked',
  atOnce(async () => {
    let requests = 0;
    const service = await startFaulty(async (request, send) => {
      // Four are of the set-up.
      if (++requests > 6) await service[Symbol.asyncDispose]();
      return send(request);
    });
    const rules = ['me', 'sources', 'categories'].flatMap(rulesNamed);
    const report = await reportOn(service, { rules, outageMs: 0 });
    expect([report.isDown, idsOf(report, 'broken')]).toEqual([true, []]);
    expect(idsOf(report, 'not checked').length).toBeGreaterThan(2);
    expect(report.rules.at(-1)?.why).toBe('The service stopped responding during the run.');
  }),
);

test.concurrent.each([502, 503, 504])(
  'a rule that meets a %d is checked again once the service responds',
  atOnce(async (status) => {
    let requests = 0;
    await using service = await startFaulty(async (request, send) =>
      ++requests === 5 ? { status, headers: new Headers(), body: '<html>' } : send(request),
    );
    const report = await reportOn(service, { rules: rulesNamed('me.account') });
    expect([report.isDown, idsOf(report, 'holds')]).toEqual([false, ['me.account']]);
  }),
);

test.concurrent(
  'the command writes a report, and no key',
  atOnce(async () => {
    const [first, second, free] = await Promise.all([
      TestAccount.create(),
      TestAccount.create(),
      TestAccount.create('free'),
    ]);
    const { key: readOnly } = await admin.createKey({ accountId: first.accountId, readOnly: true });
    const file = join(directory, 'conformance.json');
    const { exitCode, out, err } = await runLedger(
      [
        ...['conformance', system.url, '--report', file, '--only', 'me', 'keys'],
        ...['--source', first.sources['uk-property'], '--second-source', second.sources['foreign-property']],
      ],
      {
        env: {
          LEDGER_API_KEY: first.key,
          LEDGER_SECOND_API_KEY: second.key,
          LEDGER_FREE_API_KEY: free.key,
          LEDGER_READ_ONLY_API_KEY: readOnly,
        },
      },
    );
    const text = readFileSync(file, 'utf8');
    expect(idsOf(JSON.parse(text), 'not checked')).toEqual(['keys.revoked']);
    expect([exitCode, out]).toEqual([0, expect.stringContaining('0 broken, 1 not checked')]);
    for (const key of [first.key, second.key, free.key, readOnly])
      expect(out + err + text).not.toContain(key);
  }),
);
