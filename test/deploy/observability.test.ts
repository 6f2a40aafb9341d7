/** The dashboard, the alerts and the operator's guide use metrics and labels that exist. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { parser } from '@prometheus-io/lezer-promql';
import { newAuthority, newFiles } from '../fixtures/certificates.ts';
import { read } from '../fixtures/checkout.ts';
import { entry, type Json, TestAccount } from '../fixtures/client.ts';
import { type Metrics, scrape } from '../fixtures/metrics.ts';
import { startOwnGateway } from '../fixtures/own-services.ts';
import { system } from '../fixtures/system.ts';

setDefaultTimeout(60_000);

const GUIDE = read('docs/operations.md');

const ALERTS: { alert: string; expr: string; labels: Json; annotations: Json }[] = (
  Bun.YAML.parse(read('deploy/observability/alerts.yaml')) as Json
).groups.flatMap(({ rules }: Json) => rules);

const PANELS: { title: string; targets: { expr: string; legendFormat: string }[] }[] = JSON.parse(
  read('deploy/observability/dashboard.json'),
).panels.filter(({ type }: Json) => type !== 'row');

const QUERIES = [
  ...ALERTS.map(({ alert, expr }) => [alert, expr]),
  ...PANELS.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])),
  // Grafana replaces the variable by a duration.
].map(([title = '', query = '']) => [title, query.replaceAll('$__rate_interval', '5m')] as const);

// Labels that Prometheus adds to every sample.
const TARGET_LABELS = ['instance', 'job'];

const { cert: ca, issue } = await newAuthority('ours');
const { cert, key } = newFiles(await issue('gateway'), ca);
const overTls = await startOwnGateway({ env: { TLS_CERT_FILE: cert, TLS_KEY_FILE: key }, ca });

let shown: Metrics['samples'];
beforeAll(async () => {
  // A metric with labels is exported only after its first event.
  const account = await TestAccount.create();
  await account.post(entry());
  await account.post([]);
  await account.get('/api/v1/me');
  await account.page();
  const samplesOf = async (service: { metricsAddress: string }) =>
    (await scrape(service.metricsAddress)).samples;
  const ofCertificates = (await samplesOf(overTls)).filter(({ name }) => /^ledger_certificate/.test(name));
  shown = [...(await Promise.all(system.services.map(samplesOf))).flat(), ...ofCertificates];
});

/** The names of metrics and labels in a query. @throws Error when it is not valid PromQL */
function namesIn(query: string) {
  const names: { metrics: string[]; labels: string[] } = { metrics: [], labels: [] };
  parser.parse(query).iterate({
    enter({ name, from, to, type }) {
      if (type.isError) throw new Error(`invalid PromQL at ${from}: ${query}`);
      if (name === 'Identifier') names.metrics.push(query.slice(from, to));
      if (name === 'LabelName') names.labels.push(query.slice(from, to));
    },
  });
  return names;
}

test.each(QUERIES)('%s: %s', (_, query) => {
  const { metrics, labels } = namesIn(query);
  expect(metrics.length).toBeGreaterThan(0);
  expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(metrics));
  const samples = shown.filter(({ name }) => metrics.includes(name));
  const known = samples.flatMap((sample) => Object.keys(sample.labels));
  expect([...TARGET_LABELS, ...known]).toEqual(expect.arrayContaining(labels));
});

test('a legend names only labels that its query keeps', () => {
  for (const { expr, legendFormat } of PANELS.flatMap(({ targets }) => targets)) {
    // The outermost aggregation comes first. Without one every sample keeps its labels.
    const kept = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? TARGET_LABELS;
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept).toContain(label);
  }
});

const MIB = 1024 ** 2;
test.each([
  // The bytes that docs/operations.md says to allow: a gateway, and a worker with three gateways.
  ['gateway', 768 * MIB],
  ['ledger-worker', 448 * MIB],
])(
  'the memory alert of %s fires above its bound, and below the memory limit of its container',
  (service, bound) => {
    const { expr = '' } = ALERTS.find(({ alert }) => alert === 'LedgerMemoryGrows') ?? {};
    const [, threshold] = new RegExp(`service="${service}"}\\) > ([\\de.]+)`).exec(expr) ?? [];
    const limits = [
      new RegExp(`\\n  ${service}:\\n[^]*?memory: (\\d+)M,`).exec(read('compose.yaml')),
      /limits:\n +memory: (\d+)Mi/.exec(read(`deploy/kubernetes/base/${service}.yaml`)),
    ].map((match) => Number(match?.[1]) * MIB);
    expect(Number(threshold)).toBeGreaterThan(bound);
    expect(Number(threshold)).toBeLessThan(Math.min(...limits));
  },
);

describe('the operator’s guide', () => {
  test('lists every metric of both processes with its labels, and no other', () => {
    const rows = [...GUIDE.matchAll(/^\| `((?:http|grpc|ledger)_[a-z_]+)` \|(.*?)\|/gm)];
    const documented = rows.map(([, name, labels = '']) => [name, labels.match(/\w+/g)?.sort() ?? []]);
    const own = shown.filter(({ name }) => !/^(process|nodejs)_|^ledger_build_info$/.test(name));
    const actual = own.map(({ name, labels: { le: _, ...labels } }) => [
      name.replace(/_(bucket|sum|count)$/, ''),
      Object.keys(labels).sort(),
    ]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(actual));
  });

  test('lists every kind of resource in flight, and no other', () => {
    const [, section = ''] = GUIDE.split(/\n### (?:Resources in flight|The log)\n/);
    const kinds = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g));
    const inFlight = shown.filter(({ name }) => name === 'ledger_in_flight');
    expect(kinds.toSorted()).toEqual(inFlight.map(({ labels }) => `${labels.kind}`).toSorted());
  });

  test('has a section for each alert, and for no other', () => {
    const [, section = ''] = GUIDE.split('\n## Alerts\n');
    const sections = [...section.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(ALERTS.map(({ alert }) => alert));
    for (const { labels, annotations } of ALERTS) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).toEndWith('.');
    }
  });
});
