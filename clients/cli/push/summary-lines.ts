/** The summary of a push for people: a table of sources and categories, refunds, and the rows of each rule. */

import type { Rules } from '../../settings/rules.ts';
import { counted } from '../../typescript/counted.ts';
import { sumsText } from '../../typescript/export/totals.ts';
import { groupBy } from '../../typescript/group-by.ts';
import type { LeftOut, RuleUse } from '../../typescript/import/index.ts';
import { shownRule } from '../../typescript/import/rules/rules-text.ts';
import type { ComparedFiles } from '../../typescript/match/compare.ts';
import { pounds } from '../../typescript/pounds.ts';
import { countsOf, outcomesInBooks } from '../../typescript/push/outcomes.ts';
import type { PushSummary } from '../../typescript/push/push-summary.ts';
import { shadowText } from '../../typescript/push/rule-texts.ts';
import { excerpt, table } from '../output.ts';

/** The most lines of each kind without --verbose. */
const CATEGORIES_SHOWN = 20;
const REFUNDS_SHOWN = 5;
const RULES_SHOWN = 8;
const UNUSED_SHOWN = 3;

const more = (count: number, what: string) =>
  count > 0 ? [`… and ${count} more${what}: --verbose has all`] : [];

/** The sums by source and category as lines, with the new entries and the refunds. */
export function summaryLines(
  { categories, refunds }: Omit<PushSummary, 'rules'>,
  compared: Pick<ComparedFiles, 'entries'> | undefined,
  isVerbose: boolean,
): string[] {
  if (categories.length === 0) return [];
  const shown = isVerbose ? categories : categories.slice(0, CATEGORIES_SHOWN);
  const refundsMax = isVerbose ? refunds.length : REFUNDS_SHOWN;
  const entries = categories.reduce((sum, { count }) => sum + count, 0);
  const texts = [counted(entries, 'entry', 'entries'), ...(compared ? [statusesText(compared)] : [])];
  return [
    ...table(
      shown.map(({ source, type, category, count, pence, new: fresh }) => ({
        source,
        type,
        category: category ?? '(review queue)',
        entries: count,
        amount: pounds(pence),
        ...(fresh && { new: fresh.count, 'new amount': pounds(fresh.pence) }),
      })),
    ),
    ...more(categories.length - shown.length, ''),
    `${texts.join(': ')}.`,
    ...refunds.slice(0, refundsMax).map(({ description, source, count, pence, refundOf }) => {
      const number = count === 1 ? '' : ` (${count} entries)`;
      return `Refund   ${excerpt(description)}, ${source}: ${pounds(pence)}${number}, set against ${refundOf}`;
    }),
    ...more(refunds.length - refundsMax, ' refunds'),
    '',
  ];
}

/** The entries by their status in the books. */
function statusesText(compared: Pick<ComparedFiles, 'entries'>): string {
  const { remaining, deduplicated, probable, elsewhere, taken } = countsOf(outcomesInBooks(compared));
  return [
    `${remaining} new`,
    `${deduplicated} in the books`,
    ...(probable > 0 ? [`${probable} probably in the books`] : []),
    ...(elsewhere > 0 ? [`${elsewhere} in another source`] : []),
    ...(taken > 0 ? [`${taken} with the reference of another entry`] : []),
  ].join(', ');
}

/** The sums that rules leave out: no row disappears unseen. */
export function ruleLines(
  uses: readonly RuleUse[],
  leftOut: readonly LeftOut[],
  rules: Rules | undefined,
  isVerbose: boolean,
): string[] {
  if (!rules) return [];
  const leftOutBy = groupBy(leftOut, ({ rule }) => rule);
  const used = uses.filter(({ line, rows }) => rows > 0 || leftOutBy.has(line));
  let others = RULES_SHOWN;
  const shown = used.filter(({ line }) => isVerbose || leftOutBy.has(line) || others-- > 0);
  const unused = uses.filter(({ rows, isForAll }) => rows === 0 && !isForAll);
  // An unused rule may be for another month. A shadowed rule is more likely to be wrong.
  const notes = unused
    .toSorted((one, two) => two.shadowedBy.length - one.shadowedBy.length)
    .slice(0, isVerbose ? unused.length : UNUSED_SHOWN);
  return [
    `Rules    ${rules.file} (${counted(uses.length, 'rule', 'rules')})`,
    ...shown.flatMap(({ line, text, rows }) => [
      `  ${String(rows).padStart(5)}  ${shownRule(text)}${leftOutText(leftOutBy.get(line))}`,
      ...(isVerbose ? (leftOutBy.get(line) ?? []).map(leftOutRow) : []),
    ]),
    ...more(used.length - shown.length, ' that decide'),
    ...notes.map(
      (use) => `  ${'none'.padStart(5)}  ${shownRule(use.text)}${inBrackets(shadowText(use, uses))}`,
    ),
    ...more(unused.length - notes.length, ' that match no row'),
    '',
  ];
}

const inBrackets = (text: string): string => (text === '' ? '' : `  (${text})`);

const leftOutText = (rows: readonly LeftOut[] = []): string =>
  inBrackets(rows.length === 0 ? '' : `left out: ${sumsText(rows, pounds)}`);

function leftOutRow({ row, part, date, amountPence, description }: LeftOut): string {
  const place = part === undefined ? `row ${row}` : `part ${part} of row ${row}`;
  return `         ${place}: ${date} ${pounds(amountPence)} ${excerpt(description)}`;
}
