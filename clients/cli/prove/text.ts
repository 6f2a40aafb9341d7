/** A proof for people: what became of the rows of each file, what is not accounted for, and what comes from elsewhere. */
import { pounds } from '../../typescript/books/pounds.ts';
import { HOW_TO_MEND } from '../../typescript/proof/entries-of-day.ts';
import { FAILURES, type Proof, type ProvenFile } from '../../typescript/proof/proof.ts';
import type { ProvenRow, RowOutcome } from '../../typescript/proof/rows.ts';
import { balanceLines } from '../balance-lines.ts';
import { counted, startOf, table } from '../output.ts';

const SHOWN = 20;

/** @param isUndecided whether rows that are missing are probably known */
export function proofLines(proof: Proof, { isUndecided }: { isUndecided: boolean }): string[] {
  const lines = proof.files.flatMap(fileLines);
  lines.push(...elsewhereLines(proof));
  if (proof.isProved) return [...lines, 'Proved: every row is accounted for.'];
  const failures = FAILURES.flatMap((outcome) => countText(proof.counts, outcome));
  if (proof.breaks > 0)
    failures.push(counted(proof.breaks, 'balance does not follow', 'balances do not follow'));
  return [
    ...lines,
    ...(isUndecided
      ? ['Some of the missing rows are probably known: --leave-probable takes those for known.']
      : []),
    `Not proved: ${failures.join(', ')}.`,
  ];
}

const TEXTS: Record<RowOutcome, string> = {
  'in the books': 'in the books',
  'probably known': 'probably known',
  'left out': 'left out by the rules',
  skipped: 'skipped',
  repeated: 'in another file too',
  missing: 'missing',
  different: 'stored in another way',
  'in another source': 'in another source',
  'left out and stored': 'left out by the rules and in the books',
  'left out, and an entry of the day has its description':
    'left out, and an entry of the day has its description',
  'skipped, and an entry of the day has its description':
    'skipped, and an entry of the day has its description',
  invalid: 'invalid',
};

function countText(counts: Proof['counts'], outcome: RowOutcome): string[] {
  const count = counts[outcome];
  return count === undefined ? [] : [`${counted(count, 'row', 'rows')} ${TEXTS[outcome]}`];
}

function fileLines({ name, balances, rows }: ProvenFile): string[] {
  const counts: Proof['counts'] = {};
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const parts = (Object.keys(TEXTS) as RowOutcome[]).flatMap((outcome) => countText(counts, outcome));
  const failed = rows.filter(({ outcome }) => FAILURES.includes(outcome));
  return [
    `${name}: ${parts.length > 0 ? parts.join(', ') : 'no rows'}.`,
    ...balanceLines(balances, true),
    ...table(failed.slice(0, SHOWN).map(failedRow)),
    ...(failed.length > SHOWN ? [`… and ${failed.length - SHOWN} more: --report has all`] : []),
    ...(failed.some(({ entriesOfDay }) => entriesOfDay) ? [HOW_TO_MEND] : []),
    '',
  ];
}

const failedRow = ({ row, outcome, date = '', pence, description = '', ...more }: ProvenRow) => ({
  row,
  state: TEXTS[outcome],
  date,
  amount: pence === undefined ? '' : pounds(pence),
  description: startOf(description),
  why: reasonOf(more),
});

function reasonOf(row: Omit<ProvenRow, 'row' | 'outcome'>): string {
  const { reasons = [], entries = [], rule, leftOut, entriesOfDay } = row;
  const fields = new Set(entries.flatMap((each) => each.fields ?? []));
  if (fields.has('split')) return 'it is split in another way';
  if (fields.size > 0) return `differs in ${[...fields].join(', ')}`;
  const why = rule && leftOut ? `line ${rule.line}` : (reasons[0] ?? '');
  return entriesOfDay ? `${why} entry ${entriesOfDay.join(', ')}` : why;
}

function elsewhereLines({ fromElsewhere, sources, period }: Proof): string[] {
  if (fromElsewhere.length === 0 || !period) return [];
  const rows = fromElsewhere
    .slice(0, SHOWN)
    .map(({ date, type, amountPence, description, sourceId, id }) => ({
      source: sources.find((each) => each.id === sourceId)?.name ?? '',
      ...{ date, type, amount: pounds(amountPence), description: startOf(description ?? ''), id },
    }));
  const more = fromElsewhere.length - SHOWN;
  return [
    `${counted(fromElsewhere.length, 'entry', 'entries')} from ${period.from} to ${period.to} come from elsewhere, not from these files:`,
    ...table(rows),
    ...(more > 0 ? [`… and ${more} more: --report has all`] : []),
    '',
  ];
}
