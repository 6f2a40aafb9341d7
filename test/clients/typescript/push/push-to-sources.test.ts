/** A push to several sources: outcomes in the order of the entries, and errors and stops of all of them. */
import { expect, test } from 'bun:test';
import {
  LedgerError,
  type NewTransaction,
  type Outcome,
  PushError,
  type PushOptions,
  type PushResult,
} from '../../../../clients/typescript/index.ts';
import {
  pushToSources,
  type SourcesPushResult,
} from '../../../../clients/typescript/push/push-to-sources.ts';
import { NOTHING_SENT } from '../../../../clients/typescript/push-entries.ts';
import { plan, SOURCES } from '../import/plan.ts';

const RULES = ['description is "a" -> 27 Station Road', 'description is "b" -> Web design'];
const ROWS = ['a', 'b', 'a', 'c', 'b'].map((text, index) => `2026-10-0${index + 1},${text},5`);
const [first] = SOURCES;
const entriesOf = async () => (await plan(RULES, ROWS, { source: first?.id })).entries;

type Push = (source: string, days: string[], options: PushOptions) => PushResult;

/** A ledger whose answer to a push of one source is that of `push`. */
const ledgerOf = (push: Push) => ({
  push: async (source: string, entries: readonly NewTransaction[], options: PushOptions = {}) =>
    push(
      source,
      entries.map(({ date }) => date.slice(-1)),
      options,
    ),
});
const result = (outcomes: Outcome[], rest: Partial<PushResult> = {}): PushResult => ({
  ...NOTHING_SENT,
  outcomes,
  ...rest,
});
const idsOf = ({ outcomes }: SourcesPushResult) => outcomes.map((outcome) => outcome?.id);
const created = (days: string[]) => days.map((id): Outcome => ({ status: 'created', id }));

test('the entries of each source are sent together, with one result and one progress', async () => {
  const sent: string[] = [];
  const progress: string[] = [];
  const ledger = ledgerOf((source, days, { onProgress }) => {
    sent.push(`${source}: ${days.join()}`);
    const counts = { settled: days.length, total: 0, created: 1, deduplicated: days.length - 1 };
    onProgress?.({ ...counts, pause: undefined });
    return result(created(days));
  });
  const pushed = await pushToSources(ledger, await entriesOf(), undefined, {
    onProgress: ({ settled, total, created, deduplicated }) =>
      progress.push(`${settled} of ${total}, ${created} and ${deduplicated}`),
  });
  expect(sent).toEqual(['id of 27 station road: 1,3', 'id of web design: 2,5', 'id of 12 acacia avenue: 4']);
  expect(idsOf(pushed)).toEqual(['1', '2', '3', '4', '5']);
  expect(pushed).toMatchObject({ created: 5, remaining: 0, stoppedBy: undefined, error: undefined });
  expect(progress).toEqual(['2 of 5, 1 and 1', '4 of 5, 3 and 1', '5 of 5, 5 and 0']);
});

test('a push that stops sends nothing to the sources after it', async () => {
  const ledger = ledgerOf((source, days) =>
    source === 'id of web design'
      ? result(created(days.slice(0, 1)), { stoppedBy: 'daily_cap', fitsNow: 0, remaining: 1 })
      : result(created(days)),
  );
  const pushed = await pushToSources(ledger, await entriesOf(), undefined);
  expect(idsOf(pushed)).toEqual(['1', '2', '3', undefined, undefined]);
  expect(pushed).toMatchObject({ remaining: 2, stoppedBy: 'daily_cap', fitsNow: 0 });
});

test('an error points at the entry among all of them, with what was sent before', async () => {
  const issue = { path: '/1/date', message: 'is wrong', index: 1 };
  const ledger = ledgerOf((source, days) => {
    if (source !== 'id of web design') return result(created(days));
    const places = { issues: [issue], index: 1 };
    throw new PushError(new LedgerError('invalid_transaction', 'no'), places, result(created(['2'])));
  });
  const { error, ...pushed } = await pushToSources(ledger, await entriesOf(), undefined);
  expect(error?.code).toBe('invalid_transaction');
  expect([error?.issues, error?.index]).toEqual([[{ ...issue, path: '/4/date', index: 4 }], 4]);
  expect(idsOf({ ...pushed, error })).toEqual(['1', '2', '3', undefined, undefined]);
  expect(pushed.remaining).toBe(2);
});

test('entries of a request without a readable response are named, with their indexes among all of them', async () => {
  const ledger = ledgerOf((source, days) => {
    if (source !== 'id of web design') return result(created(days));
    const failure = new LedgerError('unknown_outcome', 'no', { idempotencyKey: 'key' });
    throw new PushError(failure, failure, result(created(['2']), { unknown: 1 }));
  });
  const pushed = await pushToSources(ledger, await entriesOf(), undefined);
  expect(idsOf(pushed)).toEqual(['1', '2', '3', undefined, undefined]);
  expect([pushed.unknownIndexes, pushed.error?.idempotencyKey]).toEqual([[4], 'key']);
});
