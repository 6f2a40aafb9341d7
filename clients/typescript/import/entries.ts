/** Drafts to entries: the category, the reference, and one last look at what the API would refuse. */
import { categoryReader, readDefault } from './category.ts';
import { firstCodePoints } from './cells.ts';
import type { Draft, Drafts } from './draft.ts';
import {
  DESCRIPTION_LENGTH_MAX,
  type ImportOptions,
  type InvalidRow,
  type NewTransaction,
  REFERENCE_LENGTH_MAX,
  type ReadEntry,
} from './options.ts';
import { referenceDeriver } from './reference.ts';
import { parseRules } from './rules.ts';

/**
 * The entries of the drafts, in their order. A draft whose category is wrong still counts among its equals, so that the references of
 * the others stay the same when it is corrected.
 * @throws ImportError `unknown_category`, `invalid_rules`
 */
export function entriesOfDrafts(
  drafts: Drafts,
  options: ImportOptions,
): Omit<Drafts, 'drafts'> & { entries: ReadEntry[] } {
  const chooseCategory = categoryChooser(options);
  const derive = referenceDeriver();
  const seen = new Map<string, { row: number; content: string }>();
  const entries: ReadEntry[] = [];
  const skipped = [...drafts.skipped];
  const invalid = [...drafts.invalid];
  for (const draft of drafts.drafts) {
    const { row, date, type, pence, description, reference, id } = draft;
    const account = options.accountLabel ?? draft.account;
    // A stored entry without a reference is named by its id.
    const externalRef =
      reference ??
      (id === undefined ? derive({ account, date, type, pence, description }) : `ledger-${id.slice(0, 64)}`);
    const category = chooseCategory(draft);
    const problem = referenceProblem(draft) ?? (category && 'message' in category ? category : undefined);
    if (problem) {
      invalid.push({ row, ...problem });
      continue;
    }
    const entry: NewTransaction = { date, type, amountPence: pence };
    if (category && 'key' in category) entry.category = category.key;
    if (description !== '') entry.description = firstCodePoints(description, DESCRIPTION_LENGTH_MAX);
    entry.externalRef = externalRef;
    const content = JSON.stringify(entry);
    const earlier = seen.get(externalRef);
    if (!earlier) {
      seen.set(externalRef, { row, content });
      entries.push({
        row,
        entry,
        isReferenceDerived: reference === undefined,
        ...(id !== undefined && { id }),
      });
    } else if (earlier.content === content) {
      skipped.push({ row, reason: `It repeats row ${earlier.row}, with the same reference.` });
    } else {
      const column = draft.referenceColumn ?? 'reference';
      invalid.push({
        row,
        column,
        value: externalRef,
        message: `Row ${earlier.row} has this reference with other content.`,
      });
    }
  }
  return { rows: drafts.rows, entries, skipped: skipped.sort(byRow), invalid: invalid.sort(byRow) };
}

const byRow = (one: { row: number }, two: { row: number }) => one.row - two.row;

type Problem = Omit<InvalidRow, 'row'>;

function referenceProblem({ reference, referenceColumn }: Draft): Problem | undefined {
  if (reference === undefined || firstCodePoints(reference, REFERENCE_LENGTH_MAX) === reference)
    return undefined;
  const message = `The reference is longer than ${REFERENCE_LENGTH_MAX} characters.`;
  return { column: referenceColumn ?? 'reference', value: reference.slice(0, 200), message };
}

/** The column of the file goes first, then the first rule that matches, then the default of the type. */
function categoryChooser(options: ImportOptions): (draft: Draft) => { key: string } | Problem | undefined {
  const reader = categoryReader(options.categories);
  const rules = parseRules(options.rules ?? '', reader);
  const defaults = {
    income: readDefault(reader, options.categoryIncome, 'income', '--category-income'),
    expense: readDefault(reader, options.categoryExpense, 'expense', '--category-expense'),
  };
  const isMapped = options.map?.category !== undefined;
  return (draft) => {
    const { category, categoryColumn: column = 'category', type } = draft;
    if (category !== undefined) {
      const read = reader.read(category, type);
      const advice = isMapped ? '' : ' --map category= leaves the column out.';
      return 'key' in read ? read : { column, value: category, message: read.problem + advice };
    }
    const rule = rules.find(({ matches }) => matches(draft));
    if (rule) {
      const read = reader.read(rule.category, type);
      if ('key' in read) return read;
      return {
        column: 'category',
        value: rule.category,
        message: `Line ${rule.line} of the rules: ${read.problem}`,
      };
    }
    const key = defaults[type];
    return key === undefined ? undefined : { key };
  };
}
