/** Streams to workers that do not respond, or do not end. They wait for the limits of an attempt and of a stream, all at once. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import {
  ACCOUNT_ID,
  context,
  identity,
  KEY_HASH,
  openLedgerOf,
  startScriptedWorker,
} from '../../fixtures/fake-ledger.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const endless = await startScriptedWorker(identity);
endless.endsStreams = false;
const ledgerOfEndless = openLedgerOf(endless);
const [silent, other] = [await startScriptedWorker(identity), await startScriptedWorker(identity)];
const ledger = openLedgerOf(silent, other);

test.concurrent('a worker that responds and never ends its side of a stream: the gateway ends it itself', async () => {
  for (let streams = 1; streams <= 3; streams++) {
    await until('a request is in a stream of its own', async () => {
      await ledgerOfEndless.authenticate(KEY_HASH, context(30_000));
      return endless.open === streams;
    });
  }
  const inFlight = () => endless.open + (ledgerOfEndless.inFlight.streams?.() ?? 0);
  await until('no stream is open', () => inFlight() === 0, 40_000);
});

test.concurrent('a worker that accepts a request and never responds leaves time for another one', async () => {
  await until('both are connected', async () => {
    await ledger.authenticate(KEY_HASH, context(30_000));
    return silent.received.length > 0 && other.received.length > 0;
  });
  silent.respond = () => undefined;
  silent.received = [];
  await until(
    'it has got a request',
    async () => {
      // The default of REQUEST_TIMEOUT_MS.
      expect((await ledger.authenticate(KEY_HASH, context(10_000))).accountId).toBe(ACCOUNT_ID);
      return silent.received.length > 0;
    },
    40_000,
  );
});
