/** Mixes usual and unusual values: a request with errors everywhere would only ever reach the first check. */
import fc from 'fast-check';

/** `usual` with the weight `times`, `unusual` with the weight 1. */
export const mostly = <A, B>(times: number, usual: fc.Arbitrary<A>, unusual: fc.Arbitrary<B>) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: unusual });
