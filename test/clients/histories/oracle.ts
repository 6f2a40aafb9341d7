/** Compares the entries of an account with the truth. It knows nothing of how the command compares. */
import { type Attribution, attribute, type Entry, type Versions } from './attribution.ts';
import type { BankFile, Row } from './bank.ts';
import { circumstanceOfDouble, circumstanceOfLost } from './circumstances.ts';
import {
  EXEMPTIONS,
  type Exemption,
  exemptionOfDouble,
  exemptionOfEntry,
  exemptionOfLost,
  exemptionOfRow,
  isInTwoAccounts,
} from './exemptions.ts';
import { partsOf, type Rules } from './rules.ts';
import {
  changeOf,
  type Double,
  doublesOf,
  inWords,
  isEqual,
  type Push,
  rowsOf,
  type Story,
  type Violation,
  type ViolationKind,
} from './story.ts';
import { isStored } from './surface.ts';
import { isSplittable, type Payment, quarterOf, type Version } from './world.ts';

const sumOf = (entries: readonly { pence: number }[]) => entries.reduce((sum, { pence }) => sum + pence, 0);

const violation = (
  kind: ViolationKind,
  circumstance: string,
  text: string,
  exemption?: Exemption,
): Violation => ({ kind, circumstance, text, ...(exemption && { exemption: EXEMPTIONS[exemption] }) });

/** Payments with more money in the books than they moved. */
export function storedTwice(entries: readonly Entry[], story: Story, versions: Versions): Violation[] {
  const age = (entry: Entry) =>
    story.pushes.findIndex(({ created }) => created.some(({ id }) => id === entry.id));
  const byAge = [...entries].sort((one, other) => age(one) - age(other));
  const attribution = attribute(byAge, versions, { isByEntry: true });
  const canBe = (entry: Entry, payment: Payment) => versions.canBe(entry, payment);
  const doubles = doublesOf(attribution, canBe, versions.payments);
  // A payment that no file has shown yet happened as well, and a payment that the bank has changed leaves it an equal entry.
  const unseen = [...story.unseen()];
  // Where an account has no name, an equal payment of another account may have no entry instead: it is reported as lost.
  const isLost = (each: Payment) => attribution.entriesOf(each).length === 0 && isInTwoAccounts(story, each);
  const lost = versions.payments.filter(isLost);
  for (const [surplus, found] of doubles) {
    const isLeft = ({ payment, kept }: Double, version: Version) =>
      versions.hasChanged(payment) && [surplus, kept].some((entry) => isEqual(entry, version));
    const at = unseen.findIndex((version) => found.some((double) => isLeft(double, version)));
    const isTaken = ({ kept }: Double, payment: Payment) =>
      [surplus, kept].some((entry) => versions.looksLike(entry, payment));
    const other = lost.findIndex((payment) => found.some((double) => isTaken(double, payment)));
    if (at >= 0) unseen.splice(at, 1);
    else if (other >= 0) lost.splice(other, 1);
    else continue;
    doubles.delete(surplus);
  }
  for (const payment of versions.payments.filter(({ kind }) => isSplittable(kind))) {
    const double = doubleOfParts(attribution.entriesOf(payment), payment, versions);
    if (double) doubles.set(double.surplus, [double]);
  }
  return [...doubles.values()].map((candidates) => {
    // If it can be explained by what nobody can know, it is.
    const exempt = candidates.find((each) => exemptionOfDouble(story, each));
    const double = exempt ?? (candidates[0] as Double);
    const { surplus, kept } = double;
    const text = `${inWords(surplus)} in ${surplus.house}, beside ${inWords(kept)} in ${kept.house}`;
    return violation(
      'stored twice',
      circumstanceOfDouble(story, double),
      text,
      exempt && exemptionOfDouble(story, exempt),
    );
  });
}

/** The parts of a payment add up to it. */
function doubleOfParts(own: readonly Entry[], payment: Payment, versions: Versions): Double | undefined {
  const sum = Math.abs(sumOf(own));
  const amounts = versions.amountsOf(payment).map(Math.abs);
  const [kept, surplus] = [own[0], own.at(-1)];
  if (!kept || !surplus || sum <= Math.max(...amounts)) return undefined;
  return { payment, surplus, kept };
}

type RowOfPush = ReturnType<typeof rowsOf>[number];

/** Payments of rows that a successful push had, and that have no entry. */
export function lostUntold(
  entries: readonly Entry[],
  push: Push,
  story: Story,
  versions: Versions,
): Violation[] {
  if (!isStored(push.exitCode)) return [];
  const isTold = ({ path, row }: RowOfPush) =>
    push.told.some((told) => told.path === path && told.row === row.row);
  const makesEntries = ({ row: { version } }: RowOfPush) =>
    partsOf(push.rules, version.description, version.pence).length > 0;
  const toStore = rowsOf(push).filter(makesEntries);
  const rows = toStore.filter((each) => !isTold(each));
  const payments = [...new Set(rows.map(({ row }) => row.payment))];
  const attribution = attribute(entries, versions, { first: payments });
  const isWhole = (payment: Payment) => {
    const own = attribution.entriesOf(payment);
    // With exit code 5 the command says that an entry differs, as one with other parts does.
    return isSplittable(payment.kind) && push.exitCode === 0
      ? Math.abs(sumOf(own)) >= Math.min(...versions.amountsOf(payment).map(Math.abs))
      : own.length > 0;
  };
  // Nobody can tell equal rows of a file apart: a told one that has an entry stands for one that has none.
  const spare = toStore.filter((each) => isTold(each) && isWhole(each.row.payment));
  return payments.flatMap((payment) => {
    if (isWhole(payment)) return [];
    const own = attribution.entriesOf(payment);
    const lost = rows.find((each) => each.row.payment === payment) as RowOfPush;
    const { row } = lost;
    const at = spare.findIndex((each) => each.path === lost.path && isEqual(each.row.version, row.version));
    if (at >= 0) {
      spare.splice(at, 1);
      return [];
    }
    const text = `row ${row.row}, ${inWords(row.version)}: exit code ${push.exitCode}, and ${own.length} entries`;
    return [
      violation(
        'lost untold',
        circumstanceOfLost(story, push, row),
        text,
        exemptionOfLost(story, payment, push),
      ),
    ];
  });
}

interface Claim {
  account: number;
  /** Both inclusive. A part of a day claims nothing. */
  from: string;
  to: string;
}

const claimOf = ({ account, rows, isWhole }: BankFile): Claim => {
  const days = rows.map(({ version }) => version.date).sort();
  const inner = days.filter((day) => isWhole || (day !== days[0] && day !== days.at(-1)));
  return { account, from: inner[0] ?? '9', to: inner.at(-1) ?? '0' };
};

/** Differences between the books and the statements that a proof was given. */
export function differences(
  kind: ViolationKind,
  entries: readonly Entry[],
  files: readonly BankFile[],
  rules: Rules,
  story: Story,
  versions: Versions,
): Violation[] {
  // A later file of the command shows a payment as it is now.
  const rows = new Map(files.flatMap((file) => file.rows.map((row) => [row.payment, row] as const)));
  const attribution = attribute(entries, versions, {
    first: [...rows.keys()],
    prefers: (entry, payment) => {
      const row = rows.get(payment)?.version;
      const isOwn = versions.originsOf(entry)?.includes(payment) ?? true;
      return isOwn && row?.date === entry.date && row.description === entry.description;
    },
  });
  const found = [...rows.values()].flatMap((row) => differencesOfRow(kind, row, attribution, rules, story));
  const claims = files.map(claimOf);
  for (const entry of entries) {
    const payment = attribution.of.get(entry.id);
    if (payment && rows.has(payment)) continue;
    const canBe = () => versions.payments.filter((each) => versions.canBe(entry, each));
    // Equal payments of two accounts: an entry is of the account whose file made it.
    const possible = payment ? [payment] : (versions.originsOf(entry) ?? canBe());
    const isClaimed = possible.some(({ account }) =>
      claims.some((claim) => claim.account === account && claim.from <= entry.date && entry.date <= claim.to),
    );
    if (!isClaimed) continue;
    const isDouble = payment === undefined;
    const exempt = exemptionOfEntry(story, entry, files);
    const circumstance = isDouble ? 'stored twice' : 'not on the statement';
    found.push(
      violation(
        kind,
        circumstance,
        `${inWords(entry)} in ${entry.house} is on no row of the statement`,
        exempt,
      ),
    );
  }
  return found;
}

function differencesOfRow(
  kind: ViolationKind,
  row: Row,
  attribution: Attribution,
  rules: Rules,
  story: Story,
): Violation[] {
  const { payment, version } = row;
  const own = attribution.entriesOf(payment);
  const expected = partsOf(rules, version.description, version.pence);
  const exempt = exemptionOfRow(story, payment, own);
  const differs = (circumstance: string, why: string) => [
    violation(kind, circumstance, `row ${row.row}, ${inWords(version)}: ${why}`, exempt),
  ];
  const [have, need] = [sumOf(own), sumOf(expected)];
  if (have !== need) {
    if (own.length === 0) return differs('missing', 'no entry');
    const isTwice = Math.abs(have) > Math.abs(need) && changeOf(story, payment)?.after?.pence !== have;
    return differs(isTwice ? 'stored twice' : 'amount', `the books have ${(have / 100).toFixed(2)}`);
  }
  const houses = [...new Set([...own, ...expected].map(({ house }) => house))];
  const wrong = houses.find(
    (house) =>
      sumOf(own.filter((entry) => entry.house === house)) !==
      sumOf(expected.filter((part) => part.house === house)),
  );
  if (wrong) return differs('property', `another sum in ${wrong}`);
  const late = own.find(({ date }) => quarterOf(date) !== quarterOf(version.date));
  return late ? differs('date', `its entry is of ${late.date}, in another quarter`) : [];
}
