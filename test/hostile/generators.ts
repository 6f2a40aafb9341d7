/** Generates packet and chunk sizes for a request. */
import fc from 'fast-check';
import { mostly } from './mostly.ts';
import type { Transport } from './request.ts';

/** Where bytes are cut into packets: mostly nowhere, because each packet takes a millisecond. */
export const anyCuts = mostly(
  8,
  fc.constant<number[]>([]),
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
);

export const anyTransport: fc.Arbitrary<Transport> = fc
  .record({
    cuts: anyCuts,
    chunks: mostly(
      5,
      fc.constant(undefined),
      fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9_000 })), {
        minLength: 1,
        maxLength: 4,
      }),
    ),
  })
  // With a large size, so that half a megabyte is not sent byte by byte.
  .map(({ cuts, chunks }) => (chunks ? { cuts, chunks: [...chunks, 20_000] } : { cuts }));
