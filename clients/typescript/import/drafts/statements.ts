/** The statements of a file: the payments of each account in order, with the balances of the file. */
import type { AccountStatement } from '../options.ts';
import { type Draft, type Drafts, isRead, type ReadDraft, type StatementEnds } from './draft.ts';

/**
 * The statements of the uncorrected file. An equal row with the same reference is the same payment; a row with the same reference and other
 * content cannot be read, as in `entriesOfDrafts`. Rows of a table in several currencies form several statements.
 */
export function statementsOf(
  { drafts, statements: named = [] }: Drafts,
  accountLabel: string | undefined,
): AccountStatement[] {
  const accounts = new Set([...named, ...drafts.filter(isPayment)].map(({ account }) => account));
  const nameOf = (account: string) => (accounts.size === 1 ? (accountLabel ?? account) : account);
  const found = new Map<StatementEnds | string, AccountStatement>();
  const statementOf = (key: StatementEnds | string, account: string, ends?: StatementEnds) => {
    const statement = found.get(key) ?? { ...ends, account, rows: [], unread: [] };
    found.set(key, statement);
    return statement;
  };
  for (const ends of named) statementOf(ends, nameOf(ends.account), ends);
  const claims = new Map<string, ReadDraft>();
  for (const draft of drafts.filter(isPayment)) {
    const { row, date, balance, currency, statement: ends } = draft;
    const account = nameOf(draft.account);
    const inCurrency = account !== '' && currency !== undefined ? `${account} ${currency}` : account;
    const { rows, unread } = ends
      ? statementOf(ends, account, ends)
      : statementOf(`${currency ?? ''}\n${draft.account}`, inCurrency);
    const claim = draft.reference === undefined ? undefined : claims.get(draft.reference);
    if (!isRead(draft) || (claim && !isSamePayment(claim, draft))) {
      unread.push({ row, ...(date !== undefined && { date }) });
    } else if (!claim) {
      if (draft.reference !== undefined) claims.set(draft.reference, draft);
      const pence = draft.type === 'income' ? draft.pence : -draft.pence;
      rows.push({
        row,
        date: draft.date,
        pence,
        ...(currency !== undefined && { currency }),
        ...(balance !== undefined && { balance }),
      });
    }
  }
  return [...found.values()];
}

const isPayment = ({ skipReason }: Draft) => skipReason === undefined;

function isSamePayment(one: ReadDraft, two: ReadDraft): boolean {
  const names = ['date', 'type', 'pence', 'currency', 'description'] as const;
  return names.every((name) => one[name] === two[name]);
}
