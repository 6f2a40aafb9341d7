/** The progress of a command: one line of the terminal, rewritten in place. */

import { hasEscapes, type Io } from '../settings/io.ts';
import type { Pause, PushProgress } from '../typescript/index.ts';
import { localTime, print } from './output.ts';

const WIDTH = 24;
/** A service that fails is tried again soon at first, and then after longer waits. */
const UNAVAILABLE_MS_MIN = 5_000;

const PAUSE_REASONS = {
  minute_limit: 'waiting for the minute limit',
  daily_cap: 'waiting for the daily cap',
  unavailable: 'waiting for the service',
};

/** Without a terminal that can rewrite a line, and with --json, only waits are written: a line of standard error for each. */
export function createProgressLine({
  io,
  json: isJson = false,
}: {
  io: Pick<Io, 'env' | 'stderr'>;
  json?: boolean;
}) {
  const startedAt = Date.now();
  const canRewrite = !isJson && hasEscapes(io);
  const write = (text: string, pause?: Pause) => {
    if (canRewrite) io.stderr.write(`\r\x1b[2K${text}`);
    else if (pause) printPause(io, pause);
  };
  return {
    show(progress: PushProgress): void {
      write(progressText(progress, Date.now() - startedAt), progress.pause);
    },
    /** Shows how many entries of the books are read. */
    reading(entries: number, pause?: Pause): void {
      const count = `${entries.toLocaleString('en')} entries`;
      write(`Reading the books: ${count}${pause ? `, ${waitText(pause)}` : ''}`, pause);
    },
    /** Removes the line from the terminal. */
    end(): void {
      write('');
    },
  };
}

/** Writes a line about a wait on standard error, so that no command is silent for long. */
export function printPause({ stderr }: Pick<Io, 'stderr'>, pause: Pause): void {
  const isShort = pause.until.getTime() - Date.now() < UNAVAILABLE_MS_MIN;
  if (pause.reason === 'unavailable' && isShort) return;
  print(stderr, [`${waitText(pause).replace(/^w/, 'W')}.`]);
}

/** For example `██████░░░░  1,500 of 20,000 entries, 900 entries/s, 21 s left`. */
function progressText({ settled, total, pause }: PushProgress, elapsedMs: number): string {
  const done = Math.round((settled / Math.max(total, 1)) * WIDTH);
  const bar = '█'.repeat(done) + '░'.repeat(WIDTH - done);
  const count = `${settled.toLocaleString('en')} of ${total.toLocaleString('en')} entries`;
  if (pause) return `${bar}  ${count}, ${waitText(pause)}`;
  const perSecond = settled / Math.max(elapsedMs / 1_000, 0.001);
  const left = perSecond > 0 ? Math.ceil((total - settled) / perSecond) : 0;
  return `${bar}  ${count}, ${Math.round(perSecond).toLocaleString('en')} entries/s, ${left} s left`;
}

const waitText = ({ reason, until }: Pause) => `${PAUSE_REASONS[reason]} until ${localTime(until)}`;
