/** The options that bound the waits of a command, with times such as 90s, 15m or 48h. */
import { type Command, InvalidArgumentError, Option } from 'commander';

/** The longest single wait, and the longest time of all waits of a request, in ms. */
export interface WaitOptions {
  pauseMax?: number;
  limitTimeout?: number;
}

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** Timers take at most 2^31 ms, 596 hours. */
const HOURS_MAX = 500;

/** Adds the options that bound the waits at the minute limit. */
export function addWaitOptions(command: Command): Command {
  return command
    .option('--pause-max <time>', 'the longest single wait at the minute limit (default: 5m)', msOf)
    .option('--limit-timeout <time>', 'all waits of a request at the minute limit (default: 15m)', msOf);
}

/** The option that bounds the waits at the daily cap. */
export const capTimeoutOption = () =>
  new Option('--cap-timeout <time>', 'all waits of a request at the daily cap (default: 48h)')
    .argParser(msOf)
    .conflicts('wait');

function msOf(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (ms <= HOURS_MAX * 3_600_000) return ms;
  throw new InvalidArgumentError(
    `It takes a time with its unit, such as 90s, 15m or 48h, of at most ${HOURS_MAX}h.`,
  );
}
