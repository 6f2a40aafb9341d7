/** References of a bank that different payments share: made of a date and an amount, or of nothing. */

import type { ImportOptions } from '../options.ts';
import { isValidRow, type ParsedRow } from '../rows/parsed-row.ts';

/** Whether a bank made the reference. An external reference was chosen by the person, and stays. */
export const isOfBank = (referenceColumn: string | undefined) => referenceColumn !== 'externalRef';

/** The row without the bank's reference, so that one is derived. */
const withDerived = ({ reference: _, referenceColumn: __, ...others }: ParsedRow): ParsedRow => others;

/** Equal for rows that are one payment if their reference is one. */
export const paymentContent = ({ date, type, pence, currency, description }: ParsedRow) =>
  JSON.stringify([date, type, pence, currency, description]);

const hasOfBank = (parsed: ParsedRow): parsed is ParsedRow & { reference: string } =>
  parsed.reference !== undefined && isValidRow(parsed) && isOfBank(parsed.referenceColumn);

/**
 * Some banks begin their ids again in each statement: a row with the id of another row of an earlier statement of the file gets a derived
 * reference. The rows of the earlier one keep theirs. A row that another statement also has stays as it is.
 */
function withoutRestarted(parsedRows: ParsedRow[]): ParsedRow[] {
  const first = new Map<string, ParsedRow>();
  const inStatement = new Map<ParsedRow['statement'], Set<string>>();
  const statementOf = new Map<string, ParsedRow['statement'] | 'several'>();
  for (const parsed of parsedRows) {
    if (!parsed.statement || !hasOfBank(parsed)) continue;
    const key = parsed.account + paymentContent(parsed);
    const other = statementOf.get(key) ?? parsed.statement;
    statementOf.set(key, other === parsed.statement ? other : 'several');
  }
  return parsedRows.map((parsed) => {
    const { statement, account } = parsed;
    if (!statement || !hasOfBank(parsed)) return parsed;
    const { reference } = parsed;
    const earlier = first.get(reference) ?? parsed;
    first.set(reference, earlier);
    const own = inStatement.get(statement) ?? new Set();
    inStatement.set(statement, own);
    const isFirst = !own.has(reference);
    own.add(reference);
    const isRestarted = earlier.statement !== statement && paymentContent(earlier) !== paymentContent(parsed);
    const isAlone = statementOf.get(account + paymentContent(parsed)) === statement;
    return isFirst && isRestarted && isAlone ? withDerived(parsed) : parsed;
  });
}

/**
 * With `repeated: 'another'`, rows with different content that share a reference get derived references instead, which stay the same in a
 * file with fewer of these rows.
 */
export function withoutSharedReferences(parsedRows: ParsedRow[], { repeated }: ImportOptions): ParsedRow[] {
  if (repeated !== 'another') return withoutRestarted(parsedRows);
  const contents = new Map<string, Set<string>>();
  for (const parsed of parsedRows) {
    if (!hasOfBank(parsed)) continue;
    const all = contents.get(parsed.reference) ?? new Set();
    contents.set(parsed.reference, all.add(paymentContent(parsed)));
  }
  return parsedRows.map((parsed) =>
    (contents.get(parsed.reference ?? '')?.size ?? 0) > 1 && isOfBank(parsed.referenceColumn)
      ? withDerived(parsed)
      : parsed,
  );
}
