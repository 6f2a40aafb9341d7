/** Medians, spreads and quantiles. */

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

/** @param times ms, in any order; they are sorted in place */
export function latency(times: Float64Array): Latency {
  times.sort();
  const at = (share: number) => times[Math.ceil(share * times.length) - 1] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
