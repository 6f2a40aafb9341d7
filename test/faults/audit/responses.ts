/** Audits successful responses by themselves and by the rows: every entry is in the books as sent, under its id. */
import type { Row } from '../books.ts';
import {
  type CreateResult,
  type Operation,
  type Reference,
  type Request,
  type SentEntry,
  succeeded,
  type Write,
  writesIn,
} from '../history.ts';
import type { Evidence, Violation } from './audit.ts';
import { inAccount, rowsById } from './lookup.ts';

export function auditResponses({ history, books }: Evidence): Violation[] {
  const byId = rowsById(books);
  const acknowledged = writesIn(history).filter(succeeded);
  return [
    ...acknowledged.flatMap((write) => auditResponse(write, byId)),
    ...history.requests.flatMap(ofAnotherAccount),
  ];
}

function ofAnotherAccount(request: Request): Violation[] {
  const { kind, accountId, keyId } = request;
  if (kind !== 'me' || !request.response || request.response.accountId === accountId) return [];
  return [{ rule: 'wrong response', text: '/me names another account', accountId, keyId, operations: [] }];
}

function auditResponse({ operation, response, outcome, keyId }: Write, byId: Map<string, Row>): Violation[] {
  const { accountId, name, entries } = operation;
  const about = { accountId, keyId, operations: [name] };
  const rowOf = ({ id }: Reference) => byId.get(inAccount(accountId, id));

  const contradiction = response ? contradictionIn(response, operation, outcome) : 'it has no body';
  if (!response || contradiction) {
    return [
      {
        rule: 'wrong response',
        text: `the response ${outcome} to ${name} is wrong: ${contradiction}`,
        ...about,
      },
    ];
  }
  const created = creations(entries, response.transactions);
  const lost = [
    ...created.filter(({ entry, reference }) => !isStored(entry, operation, rowOf(reference))),
    ...response.existing
      .filter((reference) => rowOf(reference)?.externalRef !== reference.externalRef)
      .map((reference) => ({ entry: undefined, reference })),
  ];
  if (lost.length === 0) return [];
  const [{ entry, reference }] = lost as [(typeof lost)[number]];
  const found = rowOf(reference);
  const text = `${lost.length} of the ${entries.length} entries of ${name}, acknowledged by ${outcome}, are not in the books as sent: under ${reference.id} there should be ${JSON.stringify(entry ?? reference)}, and there is ${found ? JSON.stringify(found) : 'nothing'}`;
  return [{ rule: 'lost', text, entries: lost.length, ...about }];
}

/** Describes how a response contradicts its request, independent of the books. */
function contradictionIn(
  { created }: CreateResult,
  { invalid }: Operation,
  outcome: Write['outcome'],
): string | undefined {
  if (invalid) return 'the request has an invalid category';
  if ((outcome === 201) !== created > 0) return `${created} were created`;
  return undefined;
}

/** Matches each created id with its entry: by reference, or by order for entries without a reference. */
function creations(entries: SentEntry[], transactions: Reference[]) {
  const byRef = Map.groupBy(entries, ({ externalRef }) => externalRef ?? '');
  const taken = new Map<string, number>();
  return transactions.map((reference) => {
    const ref = reference.externalRef ?? '';
    const nth = taken.get(ref) ?? 0;
    taken.set(ref, nth + 1);
    return { reference, entry: byRef.get(ref)?.[nth] };
  });
}

export function isStored(
  entry: SentEntry | undefined,
  { sourceId }: Operation,
  row: Row | undefined,
): boolean {
  return (
    row !== undefined &&
    entry !== undefined &&
    row.sourceId === sourceId &&
    row.date === entry.date &&
    row.type === entry.type &&
    row.amountPence === entry.amountPence &&
    row.category === (entry.category ?? null) &&
    row.description === entry.description &&
    row.externalRef === (entry.externalRef ?? null)
  );
}
