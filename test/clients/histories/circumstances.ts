/** What led to a violation, in a few words: violations of one cause are counted together. */
import type { Row } from './bank.ts';
import { FORMATS } from './formats.ts';
import { type Double, type Push, pushOf, rowsOf, type Story } from './story.ts';

export function circumstanceOfDouble(story: Story, { payment, surplus, kept }: Double): string {
  const [one, other] = [pushOf(story, surplus), pushOf(story, kept)];
  if (!one || !other) return 'after a list';
  if (one === other && one.isAtOnce) return 'two runs at once';
  if (one === other && one.files.length === 1 && one.askedFor.has(payment)) return 'after an answer';
  if (one === other) return one.files.length > 1 ? 'two files of one command' : 'one file';
  const later = story.pushes.indexOf(one) > story.pushes.indexOf(other) ? one : other;
  const asked = later.asked.has(surplus.id) || later.asked.has(kept.id) || later.askedFor.has(payment);
  if (asked) return 'after an answer';
  const isSplit = surplus.pence !== kept.pence;
  if (later.isOtherProperty && surplus.house !== kept.house) return 'another property';
  if (surplus.description !== kept.description && (surplus.house !== kept.house || isSplit))
    return 'another decision of the rules';
  if (surplus.date !== kept.date) return 'moved date';
  if (surplus.house !== kept.house || isSplit) return 'another decision of the rules';
  const ids = new Set(
    [one, other].flatMap(rowsOf).map(({ row }) => (row.payment === payment ? row.id : undefined)),
  );
  return ids.size > 2 ? 'another id' : 'another version';
}

export function circumstanceOfLost(story: Story, push: Push, row: Row): string {
  const earlier = story.pushes.slice(0, story.pushes.indexOf(push) + 1).flatMap(rowsOf);
  const isReused =
    row.id !== undefined &&
    earlier.some((each) => each.row.id === row.id && each.row.payment !== row.payment);
  if (isReused) return push.files.length > 1 || push.exitCode === 5 ? 'id used again' : 'reference taken';
  const isPart = earlier.some(
    ({ file, row: other }) =>
      !file.isWhole &&
      FORMATS[file.format].hasBalances &&
      other.version.date === row.version.date &&
      other.version.pence === row.version.pence,
  );
  if (isPart) return 'part of a day';
  if (story.removed.length > 0) return 'reference taken by a removed property';
  return push.asked.size > 0 ? 'after an answer' : 'other';
}
