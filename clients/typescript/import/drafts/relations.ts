/** Rows that may be another row again: a total, a whole beside its parts, or the other side of a double entry. Names do not count. */
import type { Meaning } from '../options.ts';
import { type Draft, isRead, type ReadDraft } from './draft.ts';

/** A whole has few parts. More rows may add up by chance. */
const PARTS_MAX = 12;

type Answers = Readonly<Record<number, Meaning>> | undefined;

/** Skips the rows that a person leaves out. @param answers by the number of the row */
export function leaveOut(drafts: readonly Draft[], answers: Answers = {}): void {
  for (const draft of drafts) if (answers[draft.row] === 'skip') draft.skipReason ??= 'It is left out.';
}

/** Adds a problem to each such row that nobody has answered for. @param answers by the number of the row */
export function markRelations(drafts: readonly Draft[], answers: Answers = {}): void {
  const ask = (draft: Draft, message: string) => {
    if (answers[draft.row] !== undefined || draft.problems.length > 0) return;
    const value = draft.description.slice(0, 200);
    draft.problems.push({ field: 'amount', column: '', value, message, option: 'rows' });
  };
  // A bank gives each payment an id, also to the two sides of a transfer.
  const withoutId = drafts.filter(({ reference }) => reference === undefined);
  const found = [...totalsOf(drafts, answers), ...wholesOf(drafts), ...oppositesOf(withoutId)];
  for (const [draft, message] of found) ask(draft, message);
}

type Found = [Draft, string];

/** The sum of at least two rows before it, since the last total, line of text or beginning. */
function totalsOf(drafts: readonly Draft[], answers: NonNullable<Answers>): Found[] {
  const found: Found[] = [];
  // A balance above the rows, which is skipped, may be in the sum.
  let [sum, first, count, opening] = [0, 0, 0, 0];
  for (const draft of drafts) {
    if (!isRead(draft)) {
      const isText = draft.skipReason !== undefined && draft.pence === undefined;
      if (isText || isSum(draft, sum, count)) [sum, count, opening] = [0, 0, 0];
      else if (count === 0 && (draft.skipReason ?? draft.named) !== undefined) opening = penceOf(draft);
      continue;
    }
    const isTotal = isSum(draft, sum, count) || (opening !== 0 && isSum(draft, sum + opening, count + 1));
    if (isTotal)
      found.push([draft, `It is the sum of row ${first} and those after it: a total, or a payment?`]);
    if (isTotal && answers[draft.row] !== 'keep') {
      [sum, count, opening] = [0, 0, 0];
      continue;
    }
    if (count === 0) first = draft.row;
    sum += penceOf(draft);
    count++;
  }
  return found;
}

const penceOf = ({ type, pence = 0 }: Draft) => (type === 'expense' ? -pence : pence);
const isSum = (draft: Draft, sum: number, count: number) => count > 1 && sum === penceOf(draft);

/** A row whose neighbours of its day add up to it. */
function wholesOf(drafts: readonly Draft[]): Found[] {
  const read = drafts.filter(isRead);
  return read.flatMap((draft, index): Found[] => {
    for (const step of [1, -1]) {
      let sum = 0;
      for (let count = 1; count <= PARTS_MAX; count++) {
        const part = read[index + step * count];
        if (!part || part.date !== draft.date) break;
        sum += penceOf(part);
        if (count > 1 && sum === penceOf(draft)) {
          const message = `The rows from it to row ${part.row} add up to it: a whole and its parts, or payments?`;
          return [[draft, message]];
        }
      }
    }
    return [];
  });
}

/** Two rows of a day that cancel each other. Both are named. */
function oppositesOf(drafts: readonly Draft[]): Found[] {
  const open = new Map<string, ReadDraft[]>();
  const found: Found[] = [];
  const read = drafts.filter(isRead);
  const all = new Set(read.map(penceOf));
  for (const draft of read) {
    if (draft.pence === 0 || !all.has(-penceOf(draft))) continue;
    const keyOf = (pence: number) => `${draft.date} ${pence} ${draft.account} ${draft.currency ?? ''}`;
    const other = open.get(keyOf(-penceOf(draft)))?.shift();
    if (other) {
      const message = (row: number) =>
        `It cancels row ${row} of its day: two sides of one payment, or two payments?`;
      found.push([other, message(draft.row)], [draft, message(other.row)]);
      continue;
    }
    const key = keyOf(penceOf(draft));
    const rows = open.get(key);
    if (rows) rows.push(draft);
    else open.set(key, [draft]);
  }
  return found;
}
