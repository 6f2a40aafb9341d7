/** Random numbers from a seed, so that a run can be repeated. */
import { randomOf } from '../../clients/conformance/history-random.ts';

export type { Random } from '../../clients/conformance/history-random.ts';

export const random = (seed: number | string) => randomOf(Bun.hash.xxHash32(String(seed)));
