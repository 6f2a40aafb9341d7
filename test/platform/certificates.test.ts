/** Certificate files that a process reads again while it runs. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import pino from 'pino';
import { Registry } from 'prom-client';
import { followCertificates } from '../../platform/certificates.ts';
import { registerCertificates } from '../../platform/metrics.ts';
import { newAuthority, newFiles } from '../fixtures/certificates.ts';
import { until } from '../fixtures/until.ts';

setDefaultTimeout(60_000);

const CHECK_EVERY_MS = 2_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const authority = await newAuthority('ours');
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const issue = (name: string, days = 365) => authority.issue(name, undefined, { notAfterDate: inDays(days) });

test.each([[[10, 300]], [[300, 10]], [[-1, 10, 300]]])(
  'the metric has the days until the first certificate of a chain expires: %j',
  async (days) => {
    const pairs = await Promise.all(days.map((each, n) => issue(`${n}`, each)));
    const [first] = pairs as [(typeof pairs)[number]];
    const cert = pairs.map(({ cert }) => cert).join('\n');
    const files = newFiles({ cert, key: first.key }, authority.cert);
    const followed = followCertificates({ prefix: 'MTLS', ...files }, pino({ enabled: false }));
    const registry = new Registry();
    registerCertificates(registry, followed);
    const metrics = await registry.metrics();
    const left = /days_left\{variable="MTLS_CERT_FILE"\} (\S+)/.exec(metrics)?.[1];
    expect(Math.ceil(Number(left))).toBe(Math.min(...days));
  },
);

test('a fault of the files is logged once while it lasts, and again when it comes back', async () => {
  const [one, other, third] = await Promise.all(['one', 'other', 'third'].map((name) => issue(name)));
  if (!one || !other || !third) throw new Error('no pairs');
  const files = newFiles(one, authority.cert);
  const lines: { msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const followed = followCertificates({ prefix: 'MTLS', ...files }, log);
  const faults = () => lines.filter(({ msg }) => msg.includes('the key belongs to another certificate'));
  const replaced = () => lines.filter(({ msg }) => msg === 'the certificates were replaced');

  files.write({ cert: other.cert, key: third.key }, authority.cert);
  await until('the fault is logged', () => faults().length === 1);
  expect(followed.latest().cert.toString()).toBe(one.cert);
  // The next check comes before this timer.
  await Bun.sleep(CHECK_EVERY_MS);
  files.write(other, authority.cert);
  await until('the files are used', () => replaced().length === 1);
  expect(faults()).toHaveLength(1);
  files.write({ cert: other.cert, key: third.key }, authority.cert);
  await until('it is logged again', () => faults().length === 2);
  expect(followed.latest().cert.toString()).toBe(other.cert);
});

test.each([
  ['expires at', { notAfterDate: inDays(13) }],
  ['has expired at', { notAfterDate: inDays(-1) }],
  ['is not valid before', { notBeforeDate: inDays(1) }],
])(
  'the log has that a certificate %s a time, at the start and when it replaces another',
  async (problem, dates) => {
    const [first, second] = [
      await authority.issue('first', undefined, dates),
      await authority.issue('second', undefined, dates),
    ];
    const files = newFiles(first, authority.cert);
    const lines: { msg: string }[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    followCertificates({ prefix: 'MTLS', ...files }, log);
    const warnings = () => lines.flatMap(({ msg }) => (msg.includes(problem) ? [msg] : []));
    const warning = (name: string) =>
      expect.stringContaining(`MTLS_CERT_FILE=${files.cert}: the certificate of CN=${name} ${problem} `);
    expect(warnings()).toEqual([warning('first')]);
    files.write(second, authority.cert);
    await until('the files are used', () => lines.at(-1)?.msg === 'the certificates were replaced');
    expect(warnings()).toEqual([warning('first'), warning('second')]);
  },
);
