/** The ways in which the bytes of one request may travel: in packets and chunks of any size. */
import fc from 'fast-check';
import type { Transport } from './request.ts';

/** Where bytes are cut into packets: mostly nowhere, for each packet costs a millisecond. */
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
  .map(({ cuts, chunks }) => (chunks ? { cuts, chunks: withinReason(chunks) } : { cuts }));

/** Some chunk is large enough that half a megabyte is not sent by the byte. */
function withinReason(sizes: readonly number[]): number[] {
  return [...sizes, 20_000];
}
