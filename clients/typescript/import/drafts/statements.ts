/** The statements of a file: the payments of each account in their order, with the balances that the file states. */
import type { AccountStatement } from '../options.ts';
import { type Drafts, isRead, type ReadDraft, type StatementEnds } from './draft.ts';

/**
 * Of the file as it is. A row that repeats another one with the same reference is the same payment; one that repeats the reference with
 * other content cannot be read, as `entriesOfDrafts` has it.
 */
export function statementsOf(
  { drafts, statements: named = [] }: Drafts,
  accountLabel: string | undefined,
): AccountStatement[] {
  const found = new Map<StatementEnds | string, AccountStatement>();
  const statementOf = (key: StatementEnds | string) => {
    const ends = typeof key === 'string' ? { account: key } : key;
    const statement = found.get(key) ?? { ...ends, rows: [], unread: [] };
    found.set(key, statement);
    return statement;
  };
  for (const ends of named) statementOf(ends);
  const claims = new Map<string, ReadDraft>();
  for (const draft of drafts) {
    const { row, date, balance, skipReason } = draft;
    if (skipReason !== undefined) continue;
    const { rows, unread } = statementOf(draft.statement ?? draft.account);
    const claim = draft.reference === undefined ? undefined : claims.get(draft.reference);
    if (!isRead(draft) || (claim && !isSamePayment(claim, draft))) {
      unread.push({ row, ...(date !== undefined && { date }) });
    } else if (!claim) {
      if (draft.reference !== undefined) claims.set(draft.reference, draft);
      const pence = draft.type === 'income' ? draft.pence : -draft.pence;
      rows.push({ row, date: draft.date, pence, ...(balance !== undefined && { balance }) });
    }
  }
  const statements = [...found.values()];
  const isOneAccount = new Set(statements.map(({ account }) => account)).size === 1;
  if (isOneAccount && accountLabel !== undefined) {
    for (const statement of statements) statement.account = accountLabel;
  }
  return statements;
}

function isSamePayment(one: ReadDraft, two: ReadDraft): boolean {
  const names = ['date', 'type', 'pence', 'description'] as const;
  return names.every((name) => one[name] === two[name]);
}
