/** Reads start while Redis counts their request, but not those of a request that the gateway refuses by itself. */
import { expect, test } from 'bun:test';
import { Registry } from 'prom-client';
import { createMinuteLimit } from '../../../gateway/access/minute-limit.ts';
import { createScripts } from '../../../gateway/access/scripts.ts';
import { createMetrics } from '../../../gateway/metrics.ts';
import { LIMITS } from '../../../proto/vocabulary.ts';

test('a request over the limit of its key starts no read', async () => {
  const limit = createMinuteLimit(createScripts(undefined), createMetrics(new Registry()));
  const caller = { keyHash: Buffer.alloc(32), accountId: Bun.randomUUIDv7() };
  let reads = 0;
  const meanwhile = () => void reads++;
  const admit = () => limit.admit(caller, { isWrite: false, span: undefined, meanwhile });
  for (let n = 0; n < LIMITS.requestsPerMinute; n++) expect((await admit()).admitted).toBe(true);
  expect(reads).toBe(LIMITS.requestsPerMinute);
  expect((await admit()).admitted).toBe(false);
  expect(reads).toBe(LIMITS.requestsPerMinute);
  limit.close();
});
