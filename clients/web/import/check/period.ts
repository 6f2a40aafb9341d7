/** The period of the entries of a file, as a text. */

import { daysOf } from '../../../typescript/days.ts';
import type { ReadEntry } from '../../../typescript/import/index.ts';
import { dateText } from '../../page/format.ts';

export function daysText(entries: readonly Pick<ReadEntry, 'entry'>[]): string {
  const { from, to } = daysOf(entries);
  if (from === undefined || to === undefined) return 'none';
  return from === to ? dateText(from) : `${dateText(from)} – ${dateText(to)}`;
}
