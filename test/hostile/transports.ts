/** Generates packet and chunk sizes for a request. */
import fc from 'fast-check';
import type { Transport } from './request.ts';

/** Where bytes are cut into packets: mostly nowhere, because each packet takes a millisecond. */
export const anyCuts = fc.oneof(
  { weight: 8, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
  },
);

export const anyTransport: fc.Arbitrary<Transport> = fc
  .record({
    cuts: anyCuts,
    chunks: fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      {
        weight: 1,
        arbitrary: fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9_000 })), {
          minLength: 1,
          maxLength: 4,
        }),
      },
    ),
  })
  .map(({ cuts, chunks }) => (chunks ? { cuts, chunks: withLargeChunk(chunks) } : { cuts }));

/** Adds a large chunk size, so that half a megabyte is not sent byte by byte. */
function withLargeChunk(sizes: readonly number[]): number[] {
  return [...sizes, 20_000];
}
