/** The statements of a file: the payments of each account in order, with the balances of the file. */

import { signedPence } from '../../pounds.ts';
import type { ImportOptions } from '../options.ts';
import type { AccountStatement } from '../result.ts';
import { isValidRow, type ParsedFile, type ParsedRow, type StatementEnds } from '../rows/parsed-row.ts';
import { referenceInFile } from './references.ts';
import { paymentContent } from './shared-references.ts';

/**
 * The statements of the uncorrected file. An equal row with the same reference is the same payment, unless the options say that it is
 * another; a row with the same reference and other content cannot be read, as in `referenceClaims`. Rows of a table in several currencies
 * form several statements.
 */
export function statementsOf(
  { parsedRows, statements: named = [] }: ParsedFile,
  { accountLabel, repeated }: ImportOptions,
): AccountStatement[] {
  const accounts = new Set([...named, ...parsedRows.filter(isNotSkipped)].map(({ account }) => account));
  const nameOf = (account: string) => (accounts.size === 1 ? (accountLabel ?? account) : account);
  const found = new Map<StatementEnds | string, AccountStatement>();
  const statementOf = (key: StatementEnds | string, account: string, ends?: StatementEnds) => {
    const statement = found.get(key) ?? { ...ends, account, rows: [], unreadableRows: [] };
    found.set(key, statement);
    return statement;
  };
  for (const ends of named) statementOf(ends, nameOf(ends.account), ends);
  const contents = new Map<string, string>();
  for (const parsed of parsedRows.filter(isNotSkipped)) {
    const { row, date, balance, currency, statement: ends } = parsed;
    const account = nameOf(parsed.account);
    const inCurrency = account !== '' && currency !== undefined ? `${account} ${currency}` : account;
    const { rows, unreadableRows } = ends
      ? statementOf(ends, account, ends)
      : statementOf(`${currency ?? ''}\n${parsed.account}`, inCurrency);
    const content = paymentContent(parsed);
    const reference = referenceInFile(parsed);
    const earlier = reference === undefined ? undefined : contents.get(reference);
    if (!isValidRow(parsed) || (earlier !== undefined && earlier !== content)) {
      unreadableRows.push({ row, ...(date !== undefined && { date }) });
    } else if (earlier === undefined || repeated === 'another') {
      if (reference !== undefined) contents.set(reference, content);
      rows.push({
        row,
        date: parsed.date,
        pence: signedPence(parsed),
        ...(currency !== undefined && { currency }),
        ...(balance !== undefined && { balance }),
      });
    }
  }
  return [...found.values()];
}

const isNotSkipped = ({ skipReason }: ParsedRow) => skipReason === undefined;
