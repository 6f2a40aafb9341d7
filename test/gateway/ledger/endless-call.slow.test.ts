/** A worker that responds to every request and never ends its side of a call. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { startGateway } from '../../../local/servers/gateway.ts';
import type { ExecuteRequest__Output } from '../../../proto/contract.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { startFakeWorker } from '../../fixtures/fake-worker.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { expectNothingHeld } from '../../fixtures/nothing-held.ts';

setDefaultTimeout(60_000);

const account = await TestAccount.create();
const identity = { identity: { accountId: account.accountId, plan: 'pro' } };
const worker = await startFakeWorker((call) => {
  let index = 0;
  call.on('data', ({ requests }: ExecuteRequest__Output) =>
    call.write({ responses: requests.map(() => ({ index: index++, authenticate: identity })) }),
  );
});
const gateway = await startGateway({ workerAddress: worker.address });
afterAll(async () => {
  await gateway.stop();
  worker.stop();
});

test('the gateway ends the calls itself', async () => {
  for (let n = 0; n < 5; n++) {
    expect((await account.request('/api/v1/me', { url: gateway.url })).status).toBe(200);
    // A call takes new requests for 100 ms.
    await Bun.sleep(150);
  }
  const held = await scrape(gateway.metricsAddress);
  expect(held.value('ledger_held', { kind: 'streams' })).toBeGreaterThan(2);
  await expectNothingHeld(gateway);
});
