/** The result of a preview: the entries to create, and for every other row the reason against it. */

import { z } from 'zod';
import { daysOf } from '../typescript/days.ts';
import { totalsOf } from '../typescript/export/totals.ts';
import { omittedRows } from '../typescript/import/entries/omitted-rows.ts';
import type { InvalidRow } from '../typescript/import/index.ts';
import type { Source, Transaction } from '../typescript/index.ts';
import type { ComparedFiles } from '../typescript/match/compare.ts';
import { entryElsewhere } from '../typescript/match/compared-entry.ts';
import type { FileEntry, FileResult } from '../typescript/match/row.ts';
import { type CategorySum, type PushSum, pushSummary } from '../typescript/push/push-summary.ts';
import { list, listOf } from './pages.ts';
import { amountFields, amountShape, boundedText, day, entryType, payment, paymentFields } from './texts.ts';

const place = { row: z.int(), part: z.int().nullable().describe('of a row that rules split') };
const newEntry = { ...place, ...payment, source: z.string(), reference: z.string() };
const sum = { count: z.int(), ...amountShape, newCount: z.int(), newPence: z.number() };
const categoryShape = { source: z.string(), type: entryType, category: z.string().nullable(), ...sum };
const rule = { line: z.int(), text: z.string(), rows: z.int() };
// Named, so that the schema has each once.
const inFile = z.object(payment).meta({ id: 'payment' });
const stored = z.object({ id: z.string(), ...payment }).meta({ id: 'stored' });

export const previewShape = {
  token: z.string().nullable().describe('for the commit; null if nothing can be created'),
  validUntil: z.string().nullable(),
  advice: z.string().describe('what to do next'),
  rowsRead: z.int(),
  columnsChosenOn: day
    .nullable()
    .describe(
      'the day of the answers about columns that the rules keep, if the file was read with them: tell the person',
    ),
  creates: listOf(newEntry)
    .extend({
      from: z.string().nullable(),
      to: z.string().nullable(),
      income: z.object(amountShape),
      expense: z.object(amountShape),
      withoutCategory: z.int(),
    })
    .describe('what a commit would create'),
  summary: z
    .object({
      categories: listOf(categoryShape).describe('all entries of the file, by source and category'),
      refunds: listOf({ ...categoryShape, description: z.string(), refundOf: z.string() }).describe(
        'entries that rules set against a category of expenses',
      ),
      rules: listOf(rule).describe('how many rows each rule decides about'),
      unusedRules: listOf({ ...rule, shadowedBy: z.array(z.int()) }).describe(
        'rules that decide about no row: perhaps for another month. `shadowedBy`: the lines of the earlier rules that decide about their rows, so that the order of the rules may be wrong',
      ),
    })
    .describe('show it to the person first'),
  known: listOf({ ...place, id: z.string() }).describe('stored already, and not sent'),
  conflicts: listOf({ ...place, differs: z.array(z.string()), file: inFile, stored }).describe(
    'stored with other content: the stored entry stays unchanged',
  ),
  probablyKnown: listOf({ ...place, file: inFile, stored }).describe(
    'probably the stored entry with a changed date or description, and not sent',
  ),
  probablyCorrected: listOf({ ...place, file: inFile, stored }).describe(
    'probably corrects the amount of the stored entry, and not sent: the person corrects the entry in the app',
  ),
  leftOutAndStored: listOf({ row: z.int(), rule: z.int().optional(), ids: z.array(z.string()) }).describe(
    'a rule or a person leaves the row out, and the books have it: the person removes the entry in the app, or corrects the rule',
  ),
  elsewhere: listOf({ ...place, source: z.string(), id: z.string() }).describe(
    'equal to an entry of another source, and not sent: for a payment of its own, a person can use `ledger push`',
  ),
  taken: listOf({ ...place, file: inFile, stored }).describe(
    'not sent: the reference of the row belongs to this other entry',
  ),
  skipped: listOf({ row: z.int(), reason: z.string() }).describe(
    'make no entry: no payments, and rows that a rule or a person leaves out',
  ),
  invalid: listOf({ row: z.int(), column: z.string(), value: z.string(), message: z.string() }).describe(
    'cannot be read, and not sent',
  ),
  warnings: listOf({ row: z.int(), value: z.string(), message: z.string() }),
};

type PreviewRows = Omit<z.infer<z.ZodObject<typeof previewShape>>, 'token' | 'validUntil' | 'advice'>;

/**
 * The rows of a preview, each in the list of its outcome.
 * @param source the source of rows that neither a rule nor a column assigns
 * @param creates the entries that a commit would create
 */
export function previewRows(
  compared: ComparedFiles,
  source: Source | undefined,
  creates: readonly FileEntry[],
): PreviewRows {
  const { files, entries, leftOutAndStored } = compared;
  // An assistant gives one file.
  const [{ result }] = files as [FileResult];
  const probable = entries.filter((each) => 'probably' in each);
  const isEarlierVersion = ({ probably }: (typeof probable)[number]) => probably.isEarlierVersion;
  return {
    rowsRead: result.rowCount,
    columnsChosenOn: result.recognised.keptFrom ?? null,
    creates: createsOf(creates),
    summary: previewSummary(compared, source),
    known: list(
      entries.filter((each) => each.matchStatus === 'known'),
      (each) => ({ ...rowAndPart(each), id: each.stored.id }),
    ),
    conflicts: list(
      entries.filter((each) => each.matchStatus === 'conflict'),
      (each) => ({ ...besideStored(each, each.stored), differs: [...each.fields] }),
    ),
    probablyKnown: list(
      probable.filter((each) => !isEarlierVersion(each)),
      (each) => besideStored(each, each.probably.stored),
    ),
    probablyCorrected: list(probable.filter(isEarlierVersion), (each) =>
      besideStored(each, each.probably.stored),
    ),
    leftOutAndStored: list(leftOutAndStored, ({ row, rule, storedEntries }) => ({
      row,
      rule,
      ids: storedEntries.map((each) => each.stored.id),
    })),
    elsewhere: list(
      entries.flatMap((each) => {
        const entry = entryElsewhere(each);
        return entry
          ? { ...rowAndPart(each), id: entry.stored.id, source: boundedText(entry.source.name) }
          : [];
      }),
    ),
    taken: list(
      entries.filter((each) => each.matchStatus === 'taken'),
      (each) => besideStored(each, each.holder.stored),
    ),
    skipped: list(omittedRows(result), ({ row, reason }) => ({
      row,
      reason: boundedText(reason),
    })),
    invalid: list(result.invalid, invalidOf),
    warnings: list(result.warnings, ({ row, value, message }) => ({
      row,
      value: boundedText(value),
      message: boundedText(message),
    })),
  };
}

/** The entries that a commit would create, with their period and their sums. */
function createsOf(creates: readonly FileEntry[]): PreviewRows['creates'] {
  const entries = creates.map(({ entry }) => entry);
  const { income, expense } = totalsOf(entries);
  const { from = null, to = null } = daysOf(creates);
  return {
    ...list(creates, ({ entry, source, ...each }) => ({
      ...rowAndPart(each),
      ...paymentFields(entry),
      source: boundedText(source?.name ?? ''),
      reference: entry.externalRef ?? '',
    })),
    from,
    to,
    income: amountFields(income.pence),
    expense: amountFields(expense.pence),
    withoutCategory: entries.filter(({ category }) => category === undefined).length,
  };
}

/** The lists whose rows a person decides about. */
const DOUBTFUL_LISTS = [
  'invalid',
  'warnings',
  'conflicts',
  'probablyKnown',
  'probablyCorrected',
  'leftOutAndStored',
  'elsewhere',
  'taken',
] as const satisfies (keyof PreviewRows)[];

/** A sentence with the number of rows in each of these lists; empty without any. */
export function doubtsOf(rows: PreviewRows): string {
  const names = DOUBTFUL_LISTS.filter((name) => rows[name].count > 0);
  if (names.length === 0) return '';
  const counts = names.map((name) => `${name} (${rows[name].count})`);
  return ` Show the person every row of ${counts.join(', ')}: read_page has the rows that are not in this result.`;
}

function previewSummary(compared: ComparedFiles, source: Source | undefined): PreviewRows['summary'] {
  const { categories, refunds, rules } = pushSummary({ ...compared, source });
  const sumFields = ({ count, pence, new: fresh }: PushSum) => ({
    count,
    ...amountFields(pence),
    newCount: fresh?.count ?? 0,
    newPence: Number(fresh?.pence ?? 0n),
  });
  const ofCategory = ({ source, type, category, ...sums }: CategorySum) => ({
    source: boundedText(source),
    type,
    category,
    ...sumFields(sums),
  });
  return {
    categories: list(categories, ofCategory),
    refunds: list(refunds, ({ description, refundOf, ...sums }) => ({
      ...ofCategory(sums),
      description: boundedText(description),
      refundOf,
    })),
    rules: list(
      rules.filter(({ rows }) => rows > 0),
      ({ line, text, rows }) => ({ line, text: boundedText(text), rows }),
    ),
    unusedRules: list(
      rules.filter(({ rows, isForAll }) => rows === 0 && !isForAll),
      ({ line, text, rows, shadowedBy }) => ({
        line,
        text: boundedText(text),
        rows,
        shadowedBy: shadowedBy.map((each) => each.line),
      }),
    ),
  };
}

const besideStored = (each: FileEntry, stored: Transaction) => ({
  ...rowAndPart(each),
  file: paymentFields(each.entry),
  stored: { id: stored.id, ...paymentFields(stored) },
});

const rowAndPart = ({ row, part = null }: Pick<FileEntry, 'row'> & { part?: number | null }) => ({
  row,
  part,
});

function invalidOf({ row, column, field, value, message, option }: InvalidRow) {
  const answers = `${JSON.stringify({ [row]: 'skip' })} (no payment to store) or keep`;
  const isOfRow = option === 'rowMeanings' && field !== 'source';
  const settled = isOfRow ? `it: ${answers}` : 'it for all rows';
  const advice = option ? ` The argument \`${option}\` settles ${settled}.` : '';
  return {
    row,
    column: boundedText(column),
    value: boundedText(value),
    message: `${boundedText(message)}${advice}`,
  };
}
