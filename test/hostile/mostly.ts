/** The measure of hostility: requests that are wrong in everything get nowhere. */
import fc from 'fast-check';

/** `usual`, and once in `times` and one `unusual`. */
export const mostly = <A, B>(times: number, usual: fc.Arbitrary<A>, unusual: fc.Arbitrary<B>) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: unusual });
