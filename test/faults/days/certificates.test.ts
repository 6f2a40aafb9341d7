/** Certificates that expire while gateway and worker run. */
import { expect, setDefaultTimeout } from 'bun:test';
import { credentials } from '@grpc/grpc-js';
import { newAuthority, newFiles } from '../../fixtures/certificates.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { until } from '../../fixtures/until.ts';
import { dayTest } from './clock.ts';
import { DAY_MS, startOwnSystem } from './own-system.ts';
import { entry, newOwner } from './owner.ts';

setDefaultTimeout(120_000);

const { cert: ca, issue } = await newAuthority('ours');

/** @returns a certificate that is valid for 30 days from `now` on */
const issueAt = (name: string, now: number) => {
  const [notBeforeDate, notAfterDate] = [new Date(now - DAY_MS), new Date(now + 30 * DAY_MS)];
  return issue(name, undefined, { notBeforeDate, notAfterDate });
};
const [worker, gateway] = [await issueAt('worker', Date.now()), await issueAt('gateway', Date.now())];
const files = { worker: newFiles(worker, ca), gateway: newFiles(gateway, ca) };
const variables = ({ ca, cert, key }: typeof files.worker) => ({
  MTLS_CA_FILE: ca,
  MTLS_CERT_FILE: cert,
  MTLS_KEY_FILE: key,
});
const operator = await issue('operator');
const system = await startOwnSystem({
  env: { worker: variables(files.worker), gateway: variables(files.gateway) },
  security: {
    credentials: credentials.createSsl(
      Buffer.from(ca),
      Buffer.from(operator.key),
      Buffer.from(operator.cert),
    ),
    options: { 'grpc.ssl_target_name_override': 'localhost' },
  },
});

dayTest(
  'the days of a certificate count down, after the last the sides refuse each other, until it is replaced',
  async () => {
    const { clocks, gateways } = system;
    const owner = await newOwner(system);
    const daysLeft = async () => {
      const both = [gateways[0]?.metricsAddress, system.worker.metricsAddress].map(async (address) =>
        (await scrape(`${address}`)).value('ledger_certificate_days_left', { variable: 'MTLS_CERT_FILE' }),
      );
      return (await Promise.all(both)).map(Math.round);
    };
    const isReady = async () => (await fetch(`${gateways[0]?.url}/readyz`)).status === 200;

    expect((await owner.post(entry())).status).toBe(201);
    expect(await daysLeft()).toEqual([30, 30]);
    system.pass(29 * DAY_MS);
    expect(await daysLeft()).toEqual([1, 1]);
    expect((await owner.post(entry())).status).toBe(201);
    system.pass(2 * DAY_MS);
    expect(await daysLeft()).toEqual([-1, -1]);
    // Connections end after 5 s, and no other one is opened.
    await until('the gateway finds no worker', async () => !(await isReady()));
    expect((await owner.post(entry())).status).toBe(503);
    files.worker.write(await issueAt('worker', clocks.worker.now()), ca);
    files.gateway.write(await issueAt('gateway', clocks.gateways[0]?.now() ?? 0), ca);
    await until('they accept each other', isReady);
    expect((await owner.post(entry())).status).toBe(201);
    expect(await daysLeft()).toEqual([30, 30]);
    expect(await owner.transactionCount()).toBe(3);
  },
);
