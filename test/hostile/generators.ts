/** Parts of generators: mixes of usual and unusual values, places, and how the bytes of a request are sent. */
import fc from 'fast-check';
import type { Transport } from './request.ts';

/** `usual` with the weight `times`, `unusual` with the weight 1: a request with errors everywhere would only reach the first check. */
export const mostly = <A, B>(times: number, usual: fc.Arbitrary<A>, unusual: fc.Arbitrary<B>) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: unusual });

/** A fraction of a length. Of `fc.double`, half would be below 1e-150, and so the same place. */
export const anyPlace = fc.nat({ max: 1_000 }).map((thousandths) => thousandths / 1_000);

/** Where bytes are cut into packets: mostly nowhere, because each packet takes a millisecond. */
export const anyCuts = mostly(
  8,
  fc.constant<number[]>([]),
  fc.array(anyPlace, { minLength: 1, maxLength: 5 }),
);

const anySize = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9_000 }));

/** With a large size at the end, so that half a megabyte is not sent byte by byte. */
const anyChunks = fc.array(anySize, { minLength: 1, maxLength: 4 }).map((sizes) => [...sizes, 20_000]);

export const anyTransport: fc.Arbitrary<Transport> = fc
  .record({ cuts: anyCuts, chunks: mostly(5, fc.constant(undefined), anyChunks) })
  .map(({ cuts, chunks }) => (chunks ? { cuts, chunks } : { cuts }));
