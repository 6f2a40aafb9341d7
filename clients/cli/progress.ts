/** The progress of a command: one line of the terminal, rewritten in place. */

import { hasEscapes, type Io } from '../settings/io.ts';
import type { Pause, PushProgress } from '../typescript/index.ts';
import { timeText } from './output.ts';

const WIDTH = 24;

const REASONS = {
  minute_limit: 'waiting for the minute limit',
  daily_cap: 'waiting for the daily cap',
  unavailable: 'waiting for the service',
};

export interface ProgressLine {
  show(progress: PushProgress): void;
  /** While the books are read. */
  reading(entries: number, pause?: Pause): void;
  /** Removes the line. */
  end(): void;
}

/** Writes nothing without a terminal that can rewrite a line. */
export function createProgressLine(io: Pick<Io, 'env' | 'stderr'>): ProgressLine {
  const startedAt = Date.now();
  const canRewrite = hasEscapes(io);
  const rewrite = (text: string) => canRewrite && io.stderr.write(`\r\x1b[2K${text}`);
  return {
    show(progress) {
      rewrite(progressText(progress, Date.now() - startedAt));
    },
    reading(entries, pause) {
      rewrite(`Reading the books: ${entries.toLocaleString('en')} entries${pause ? waitText(pause) : ''}`);
    },
    end() {
      rewrite('');
    },
  };
}

/** For example `██████░░░░  1,500 of 20,000 rows, 900 rows/s, 21 s left`. */
function progressText({ sent, total, pause }: PushProgress, elapsedMs: number): string {
  const done = Math.round((sent / Math.max(total, 1)) * WIDTH);
  const bar = '█'.repeat(done) + '░'.repeat(WIDTH - done);
  const count = `${sent.toLocaleString('en')} of ${total.toLocaleString('en')} rows`;
  if (pause) return `${bar}  ${count}${waitText(pause)}`;
  const perSecond = sent / Math.max(elapsedMs / 1_000, 0.001);
  const left = perSecond > 0 ? Math.ceil((total - sent) / perSecond) : 0;
  return `${bar}  ${count}, ${Math.round(perSecond).toLocaleString('en')} rows/s, ${left} s left`;
}

const waitText = ({ reason, until }: Pause) => `, ${REASONS[reason]} until ${timeText(until)}`;
