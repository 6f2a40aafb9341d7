/**
 * What no program can know. Each exemption is decided from the record of what the bank and the person did, never from what the command
 * says.
 */
import type { Entry } from './attribution.ts';
import type { BankFile, Row } from './bank.ts';
import { FORMATS } from './formats.ts';
import {
  changeOf,
  type Double,
  isEqual,
  namesItsAccount,
  type Push,
  pushOf,
  rowsOf,
  type Story,
} from './story.ts';
import { daysBetween, isSplittable, type Payment } from './world.ts';

/** As the design says: around a statement, rows and entries up to five days apart are compared. */
const DAYS_APART_MAX = 5;

/**
 * Whether a file without balances, or without the name of its account, has only a part of this day.
 * @param isElsewhere on a computer that has not pushed the other file, its balances say nothing either
 */
const isPartOfDay = (day: string, isElsewhere: boolean) => (file: BankFile) =>
  !file.isWhole &&
  (isElsewhere || !(FORMATS[file.format].hasBalances && namesItsAccount(file))) &&
  [file.rows[0], file.rows.at(-1)].some((edge) => edge?.version.date === day);

const isEdge = ({ rows }: BankFile, day: string) => {
  const days = rows.map(({ version }) => version.date).sort();
  return day === days[0] || day === days.at(-1);
};

export const EXEMPTIONS = {
  settled: 'The bank changed amount and description of a payment at once: nothing connects the two rows.',
  atOnce:
    'Two exports that show a payment differently were pushed at one moment: neither run could see the entry of the other.',
  twoAccounts:
    'Two accounts have equal payments, and a file does not name its account: the payments cannot be told apart.',
  otherProperty:
    'A file that does not name its account was pushed for another property: equal payments of two properties are usual.',
  partOfDay:
    'An export without balances, or without the name of its account, or on a computer that has not pushed the earlier one, begins or ends within a day: its equal rows can be the earlier or the later ones of the day.',
  idOfNeighbour:
    'The bank gave the id of one payment to another one, almost of its day and with its amount or text: that looks like a changed row.',
  removedPart:
    'The bank changed the description of a split payment, and one of its properties has been removed: no amount and no text connects the rest.',
  edgeOfFile:
    'A payment vanished on the first or the last day of a file whose balances follow: it may lie before the first row, or after the last one.',
} as const;

export type Exemption = keyof typeof EXEMPTIONS;

/** Why nobody can see that a payment has two entries. */
export function exemptionOfDouble(story: Story, { payment, surplus, kept }: Double): Exemption | undefined {
  if (changeOf(story, payment)?.kind === 'settled') return 'settled';
  const { before, after } = changeOf(story, payment) ?? {};
  const isPart = ({ pence }: Entry) => pence !== before?.pence;
  const isRemoved = story.removed.length > 0 && isSplittable(payment.kind) && [surplus, kept].every(isPart);
  if (isRemoved && after && after.description !== before?.description) return 'removedPart';
  if (isIdOfNeighbourLater(story, payment)) return 'idOfNeighbour';
  const [one, other] = [pushOf(story, surplus), pushOf(story, kept)];
  if (one && one === other && one.isAtOnce && isShownDifferently(one, payment)) return 'atOnce';
  if (one && other && surplus.house !== kept.house) {
    const isUnnamed = [one, other].some(
      (push) => push.isOtherProperty && !push.files.every(({ file }) => namesItsAccount(file)),
    );
    if (isUnnamed) return 'otherProperty';
  }
  return undefined;
}

/** Whether files of one act show a payment with other texts, ids or formats. */
function isShownDifferently(push: Push, payment: Payment): boolean {
  const own = rowsOf(push).filter(({ row }) => row.payment === payment);
  return own.some(
    ({ row, file }) =>
      file.format !== own[0]?.file.format ||
      row.id !== own[0]?.row.id ||
      !isEqual(row.version, own[0]?.row.version ?? row.version),
  );
}

/** Why nobody can see that a row has no entry. */
export function exemptionOfLost(story: Story, payment: Payment, push: Push): Exemption | undefined {
  if (isInTwoAccounts(story, payment)) return 'twoAccounts';
  const own = rowsOf(push).filter(({ row }) => row.payment === payment);
  const earlier = story.pushes.slice(0, story.pushes.indexOf(push) + 1).flatMap(rowsOf);
  const isTwin = own.some((mine) =>
    earlier.some(
      (other) =>
        other.row.payment !== payment &&
        isEqual(mine.row.version, other.row.version) &&
        (mine.row.id === undefined || other.row.id === undefined || story.ids === 'begin again') &&
        [mine.file, other.file].some(isPartOfDay(mine.row.version.date, push.isAtOnce)),
    ),
  );
  if (isTwin) return 'partOfDay';
  const isNeighbour = own.some(({ row }) =>
    earlier.some(({ row: other }) => other.payment !== payment && looksLikeRow(row, other)),
  );
  if (isNeighbour) return 'idOfNeighbour';
  return undefined;
}

/** Why nobody can see that an entry is on no row of a statement. @param files of the proof */
export function exemptionOfEntry(
  story: Story,
  entry: Entry,
  files: readonly BankFile[] = [],
): Exemption | undefined {
  if (files.some((file) => FORMATS[file.format].hasBalances && isEdge(file, entry.date))) return 'edgeOfFile';
  const push = pushOf(story, entry);
  // Each of the two exports has an entry of its own: the proof of both has nothing to compare.
  const isOfBoth =
    files.length > 1 && files.some(({ rows }) => rows.some((row) => isEqual(row.version, entry)));
  if (push?.isAtOnce && isOfBoth) return 'atOnce';
  const isUnnamed = push?.isOtherProperty && !push.files.every(({ file }) => namesItsAccount(file));
  return isUnnamed ? 'otherProperty' : undefined;
}

/** Why a row was lost or stored twice before the proof, and nobody could see it. */
export function exemptionOfRow(story: Story, payment: Payment, own: readonly Entry[]): Exemption | undefined {
  if (own.length > 0) return own.map((entry) => exemptionOfEntry(story, entry)).find((each) => each);
  if (changeOf(story, payment) && isIdOfNeighbourLater(story, payment)) return 'idOfNeighbour';
  const pushes = story.pushes.filter((push) => rowsOf(push).some(({ row }) => row.payment === payment));
  return pushes.map((push) => exemptionOfLost(story, payment, push)).find((each) => each);
}

/** Whether a later row that resembles an earlier one of this payment has its id. */
function isIdOfNeighbourLater(story: Story, payment: Payment): boolean {
  const rows = story.pushes.flatMap(rowsOf).map(({ row }) => row);
  return rows.some(
    (own) =>
      own.payment === payment && rows.some((other) => other.payment !== payment && looksLikeRow(own, other)),
  );
}

const looksLikeRow = ({ id, version }: Row, other: Row) =>
  id !== undefined &&
  id === other.id &&
  Math.abs(daysBetween(version.date, other.version.date)) <= DAYS_APART_MAX &&
  (version.pence === other.version.pence || version.description === other.version.description);

/** Whether an equal payment of another account was pushed, and a file with one of the two names no account. */
export function isInTwoAccounts(story: Story, payment: Payment): boolean {
  if (story.accounts === 1) return false;
  const rows = story.pushes.flatMap(rowsOf);
  const own = rows.filter(({ row }) => row.payment === payment);
  const others = rows.filter(({ row }) => row.payment.account !== payment.account);
  return own.some(({ row, file }) =>
    others.some(
      ({ row: other, file: otherFile }) =>
        isEqual(row.version, other.version) && !(namesItsAccount(file) && namesItsAccount(otherFile)),
    ),
  );
}
