/** Rules for the open rows of a payee whose decided rows all have one decision. Never applied automatically. */

import type { SummedEntry } from '../../../typescript/export/totals.ts';
import { ImportError } from '../../../typescript/import/import-error.ts';
import { comparable, readConditions } from '../../../typescript/import/rules/conditions.ts';
import { actionText, parseRules } from '../../../typescript/import/rules/rules-text.ts';
import { conditionOf, sourceText } from '../../../typescript/suggestions/suggested-rules.ts';
import { payeeOf, type Suggestion, startingWith } from '../../../typescript/suggestions/suggestions.ts';
import type { Categorising, FileState, ImportState } from '../state.ts';

interface PayeeRule extends Pick<Suggestion, 'payee' | 'type'> {
  /** The text of the rule after the arrow. */
  decision: string;
  /** The whole line to add to the rules. */
  rule: string;
  /** The open rows that it would decide. */
  rows: readonly SummedEntry[];
}

interface PayeeRow extends SummedEntry {
  /** The description, in the form in which conditions compare it. */
  text: string;
  /** The decision as a rule writes it. Undefined for an open row. */
  decision: string | undefined;
}

/** The most rules to show: more are too many to read through. */
const PAYEE_RULES_MAX = 20;
const ENTRY_TYPES = ['income', 'expense'] as const;

/** The rules that decided rows suggest for open rows of their payees. The rule with the most rows comes first. */
export function payeeRules({
  files,
  categorising,
  isByRules,
}: Pick<ImportState, 'files' | 'categorising' | 'isByRules'>): PayeeRule[] {
  const decisions = decisionsIn(categorising.rules);
  const rows = files.flatMap((file) => payeeRows(file, categorising, decisions, isByRules));
  return ENTRY_TYPES.flatMap((type) => {
    const sorted = rows.filter((row) => row.type === type).sort((one, two) => (one.text < two.text ? -1 : 1));
    const open = sorted.filter(({ decision }) => decision === undefined);
    const payees = new Set(open.flatMap(({ text }) => payeeOf(text) ?? []));
    return [...payees].flatMap((payee) => {
      const found = new Set(startingWith(sorted, payee).flatMap(({ decision }) => decision ?? []));
      const [decision] = found;
      if (decision === undefined || found.size > 1 || decision === OTHER_DECISION) return [];
      const rule = `${conditionOf({ payee, type })} -> ${decision}`;
      if (categorising.rules.includes(rule)) return [];
      return { payee, type, decision, rule, rows: startingWith(open, payee) };
    });
  })
    .sort((one, two) => two.rows.length - one.rows.length)
    .slice(0, PAYEE_RULES_MAX);
}

/** A decision that no rule of this kind makes. */
const OTHER_DECISION = '';

/** The decisions of the rules by line; undefined for `otherwise`, which leaves its rows open for another rule. */
function decisionsIn(rules: string): Map<number, string | undefined> {
  try {
    return new Map(
      parseRules(rules).map(({ line, text, isForAll }) => {
        const conditions = readConditions(text);
        return [line, isForAll || 'problem' in conditions ? undefined : actionText(conditions.rest)];
      }),
    );
  } catch (error) {
    // The reader says where the rules have a problem.
    if (error instanceof ImportError) return new Map();
    throw error;
  }
}

function payeeRows(
  { result, corrections }: FileState,
  categorising: Categorising,
  decisions: ReadonlyMap<number, string | undefined>,
  isByRules: boolean,
): PayeeRow[] {
  if (!result) return [];
  const entries = result.entries.map(({ row, part, rule, source, entry }): PayeeRow & { row: number } => {
    const { type, category, description = '' } = entry;
    const by = corrections.get(row);
    const own = [
      isByRules || by?.source !== undefined ? sourceText(source?.name ?? '') : '',
      category ?? '',
    ].filter(Boolean);
    const isOpen = category === undefined || category === categorising[type];
    const said =
      by?.category || by?.source !== undefined
        ? own.join(' / ')
        : rule !== undefined
          ? decisions.get(rule)
          : part === undefined && isOpen
            ? undefined
            : OTHER_DECISION;
    return {
      ...entry,
      row,
      text: comparable(description),
      decision: by?.category === '' ? OTHER_DECISION : said,
    };
  });
  const leftOut = result.leftOut.map(
    ({ rule, description, ...each }): PayeeRow => ({
      ...each,
      text: comparable(description),
      decision: rule === undefined ? 'leave out' : decisions.get(rule),
    }),
  );
  const withoutSource = result.withoutSource.map(
    ({ description, ...each }): PayeeRow => ({ ...each, text: comparable(description), decision: undefined }),
  );
  return [...entries, ...leftOut, ...withoutSource];
}
