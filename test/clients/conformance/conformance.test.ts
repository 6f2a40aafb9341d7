/** The conformance kit, against the real service and against services that break one rule each. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { checkConformance, type Report, RULES, rulesNamed } from '../../../clients/conformance/index.ts';
import { FAULTS } from './faults.ts';
import { FAULTS_OF_ONE_RULE } from './faults-of-one-rule.ts';
import { type Fault, startFaulty } from './proxy.ts';

setDefaultTimeout(120_000);

/** They take half a minute or the minute of a key, or the proxy cannot pass them on: command.slow.test.ts. */
const SLOW = ['requests.silent-body', 'requests.host', 'limits.minute', 'limits.of-a-key', 'limits.refused'];
const rules = RULES.filter(({ id }) => !SLOW.includes(id));
/** What its random requests find of a fault differs from run to run. */
const LINEARIZABLE = 'concurrency.linearizable';

async function reportOn(fault?: Fault, checked = rules, fillDay = false): Promise<Report> {
  await using service = await startFaulty(fault);
  const [first, second] = service.accounts;
  return await checkConformance({
    url: service.url,
    keys: { first: first.key, second: second.key },
    sources: {
      first: [first.sources['uk-property'], first.sources['self-employment']],
      second: [second.sources['foreign-property'], second.sources['uk-property']],
    },
    rules: checked,
    fillDay,
    // The service behind the proxy sees new keys.
    pace: Number.MAX_SAFE_INTEGER,
    onRule: service.renewKeys,
  });
}

const idsOf = ({ rules }: Report, wanted: string) =>
  rules.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : []));

test('of the real service no rule is broken', async () => {
  const report = await reportOn();
  expect(idsOf(report, 'broken')).toEqual([]);
  expect(report.rules.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  const unchecked = ['keys.upgrade-required', 'keys.revoked', 'requests.server-error', 'limits.day'];
  expect(idsOf(report, 'not checked')).toEqual(unchecked);
});

test.each(FAULTS)('a service that %s breaks these rules, and no others', async (_, fault, broken) => {
  const report = await reportOn(
    fault,
    rules.filter(({ id }) => id !== LINEARIZABLE),
  );
  expect(idsOf(report, 'broken').sort()).toEqual(broken.toSorted());
  for (const { outcome, request, response, expected } of report.rules) {
    if (outcome === 'broken') expect([request, response, expected]).not.toContain(undefined);
  }
});

test.each(FAULTS_OF_ONE_RULE)('a service that %s breaks %s', async (_, rule, fault) => {
  const report = await reportOn(fault(), rulesNamed(rule), true);
  console.log(report.rules[0]?.expected);
  expect(report.rules).toEqual([
    expect.objectContaining({ outcome: 'broken', request: expect.anything(), response: expect.anything() }),
  ]);
});
