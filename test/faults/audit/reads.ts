/** Audits reads: they contain everything acknowledged before they began, and only what is in the books. */
import type { Row } from '../books.ts';
import { type Page, type Request, type Sources, succeeded, type Transaction, writesIn } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';
import { inAccount, rowsById } from './lookup.ts';

/** A row, and the time of its first acknowledgement. */
interface Known {
  row: Row;
  since: number;
}

export function auditReads({ history, books }: Evidence): Violation[] {
  const byId = rowsById(books);
  const since = firstAcknowledged(history.requests);
  const known = books.rows.map((row) => ({
    row,
    since: since.get(inAccount(row.accountId, row.id)) ?? Number.POSITIVE_INFINITY,
  }));
  const bySource = Map.groupBy(known, ({ row }) => inAccount(row.accountId, row.sourceId));
  const of = (accountId: string, sourceId: string) => bySource.get(inAccount(accountId, sourceId)) ?? [];

  return history.requests.filter(succeeded).flatMap((request): Violation[] => {
    const { accountId, keyId } = request;
    const faults = (() => {
      switch (request.kind) {
        case 'page':
          return faultsOfPage(request, of(accountId, request.sourceId), byId);
        case 'sources':
          return faultsOfSources(request, (sourceId) => of(accountId, sourceId));
        case 'me':
          return request.response?.accountId === accountId ? [] : ['it names another account'];
        case 'write':
          return [];
      }
    })();
    return faults.map((fault) => ({
      rule: 'stale read',
      text: `${request.kind} read from ${request.gateway} at ${Math.round(request.begun)} ms: ${fault}`,
      accountId,
      keyId,
      operations: [],
    }));
  });
}

function firstAcknowledged(requests: Request[]): Map<string, number> {
  const since = new Map<string, number>();
  for (const { accountId, response, ended } of writesIn({ requests })) {
    for (const { id } of [...(response?.transactions ?? []), ...(response?.existing ?? [])]) {
      const name = inAccount(accountId, id);
      since.set(name, Math.min(ended, since.get(name) ?? ended));
    }
  }
  return since;
}

function faultsOfPage(page: Page, known: Known[], byId: Map<string, Row>): string[] {
  const { transactions = [], nextCursor = null } = page.response ?? {};
  const faults: string[] = [];
  const listed = new Set(transactions.map(({ id }) => id));
  const last = transactions.at(-1);
  const missing = known.filter(
    ({ row, since }) =>
      since < page.begun &&
      isWithin(row, page) &&
      !listed.has(row.id) &&
      !(nextCursor && last && isAfter(last, row)),
  );
  if (missing.length > 0) {
    faults.push(`${missing.length} entries acknowledged before are missing: ${missing[0]?.row.description}`);
  }
  for (const [index, transaction] of transactions.entries()) {
    const before = transactions[index - 1] ?? page.after;
    if (before && !isAfter(before, transaction)) faults.push(`${transaction.id} is out of order`);
    if (!isWithin(transaction, page)) faults.push(`${transaction.id} does not match the query`);
    const row = byId.get(inAccount(page.accountId, transaction.id));
    if (!row || row.sourceId !== page.sourceId || !isSame(transaction, row)) {
      faults.push(`${transaction.id} is not in the books as it was listed`);
    }
  }
  if (transactions.length > page.limit) faults.push(`it has more than ${page.limit} entries`);
  return faults;
}

type Position = Pick<Transaction, 'date' | 'id'>;

/** Whether `next` comes after `position`: an older date, or the same date and created earlier. */
function isAfter(position: Position, next: Position): boolean {
  return next.date < position.date || (next.date === position.date && next.id < position.id);
}

function isWithin(position: Position, { from, to, after }: Page): boolean {
  const { date } = position;
  return (!from || date >= from) && (!to || date <= to) && (!after || isAfter(after, position));
}

function isSame(transaction: Transaction, row: Row): boolean {
  const fields = ['date', 'type', 'category', 'amountPence', 'description', 'externalRef'] as const;
  return fields.every((field) => transaction[field] === row[field]);
}

function faultsOfSources({ begun, response }: Sources, known: (sourceId: string) => Known[]): string[] {
  return (response?.sources ?? []).flatMap(({ id, transactionCount }) => {
    const rows = known(id);
    const acknowledged = rows.filter(({ since }) => since < begun).length;
    if (transactionCount >= acknowledged && transactionCount <= rows.length) return [];
    return [
      `source ${id} counts ${transactionCount}, with ${acknowledged} acknowledged before and ${rows.length} stored`,
    ];
  });
}
