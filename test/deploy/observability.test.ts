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
  ...ALERTS.map(({ alert, expr }) => [alert, expr] as const),
  ...PANELS.flatMap(({ title, targets }) =>
    // Grafana replaces the variable by a duration.
    targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
  ),
];

// Labels that Prometheus adds to every sample.
const TARGET_LABELS = ['instance', 'job'];

const authority = await newAuthority('ours');
const files = newFiles(await authority.issue('gateway'), authority.cert);
const overTls = await startOwnGateway({
  env: { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key },
  ca: authority.cert,
});

let shown: Metrics['samples'];
beforeAll(async () => {
  // A metric with labels is exported only after its first event.
  const account = await TestAccount.create();
  await account.post(entry());
  await account.post([]);
  await account.get('/api/v1/me');
  await account.page();
  const metrics = await Promise.all(system.services.map(({ metricsAddress }) => scrape(metricsAddress)));
  const { samples } = await scrape(overTls.metricsAddress);
  shown = [
    ...metrics.flatMap(({ samples }) => samples),
    ...samples.filter(({ name }) => name.startsWith('ledger_certificate')),
  ];
});

/** The names of metrics and labels in a query. @throws Error when it is not valid PromQL */
function namesIn(query: string) {
  const names: { metrics: string[]; labels: string[]; grouping?: string[] } = { metrics: [], labels: [] };
  parser.parse(query).iterate({
    enter({ name, from, to, type }) {
      if (type.isError) throw new Error(`invalid PromQL at ${from}: ${query}`);
      if (name === 'Identifier') names.metrics.push(query.slice(from, to));
      if (name === 'LabelName') names.labels.push(query.slice(from, to));
      // The outermost comes first.
      if (name === 'AggregateExpr') names.grouping ??= groupingOf(query.slice(from, to));
    },
  });
  return names;
}

function groupingOf(aggregation: string): string[] {
  const [, labels = ''] = /^\w+ by \(([^)]*)\)/.exec(aggregation) ?? [];
  return labels.split(', ');
}

test.each(QUERIES)('%s: %s', (_, query) => {
  const { metrics, labels } = namesIn(query);
  expect(metrics.length).toBeGreaterThan(0);
  for (const metric of metrics) {
    const samples = shown.filter(({ name }) => name === metric);
    expect([metric, samples.length > 0]).toEqual([metric, true]);
  }
  const known = shown
    .filter(({ name }) => metrics.includes(name))
    .flatMap((sample) => Object.keys(sample.labels));
  for (const label of labels) expect([...TARGET_LABELS, ...known]).toContain(label);
});

test('a legend names only labels that its query keeps', () => {
  for (const { expr, legendFormat } of PANELS.flatMap(({ targets }) => targets)) {
    // Without an aggregation every sample keeps its labels.
    const kept = namesIn(expr.replaceAll('$__rate_interval', '5m')).grouping ?? TARGET_LABELS;
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
    const rows = [...GUIDE.matchAll(/^\| `([a-z_]+)` \|(.*?)\|/gm)];
    const documented = Object.fromEntries(
      rows
        .filter(([, name = '']) => /^(http|grpc|ledger)_/.test(name))
        .map(([, name, labels = '']) => [name, [...labels.matchAll(/\w+/g)].map(([label]) => label).sort()]),
    );
    const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
    const actual: Record<string, string[]> = {};
    for (const { name, labels } of shown) {
      if (/^(process|nodejs)_/.test(name) || name === 'ledger_build_info') continue;
      actual[base(name)] = Object.keys(labels)
        .filter((label) => label !== 'le')
        .sort();
    }
    expect(documented).toEqual(actual);
  });

  test('lists every kind of resource in flight, and no other', () => {
    const [, section = ''] = GUIDE.split(/\n### (?:Resources in flight|The log)\n/);
    const kinds = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g));
    const actual = shown
      .filter(({ name }) => name === 'ledger_in_flight')
      .map(({ labels }) => labels.kind ?? null);
    expect(kinds.toSorted()).toEqual(actual.toSorted());
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
