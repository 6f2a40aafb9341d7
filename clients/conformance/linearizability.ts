/**
 * Decides whether the history of an account is linearizable: whether each request can have taken effect at one moment
 * between call and response, such that a single ledger gives every response. A request without an outcome may take effect
 * at any time after its call, or never. A refused one has no effect. A page is one request; a walk of pages is not.
 */
import { type History, lineOf, type Request, type Sources, type Write } from './history.ts';
import { Entries, writesWithResponse } from './linear-entries.ts';
import { Contradiction, nameOf, newOperation, type Operation } from './linear-operations.ts';
import { addLacking, byDateAndId, type Compare, pageReads } from './linear-pages.ts';
import { type SearchResult, search } from './linear-search.ts';
import { LinearState } from './linear-state.ts';
import { writesWithoutResponse } from './linear-unknown.ts';

export interface Options {
  /** Entries that an account may create within a day; absent: not checked. The history is shorter than a day. */
  cap?: number;
  /** The order of pages. */
  compare?: Compare;
  /** The most states to search for each account. */
  statesMax?: number;
}

export type Verdict =
  | { verdict: 'linearizable'; states: number }
  | { verdict: 'undecided'; states: number; text: string }
  | { verdict: 'not linearizable'; states: number; text: string; requests: Request[]; accountId: string };

const STATES_MAX = 200_000;

/** Checks each account by itself. */
export function checkLinearizability(history: History, options: Options = {}): Verdict {
  const byAccount = new Map<string, Request[]>();
  for (const request of history.requests) {
    const requests = byAccount.get(request.accountId) ?? [];
    byAccount.set(request.accountId, requests);
    requests.push(request);
  }
  let states = 0;
  let undecided: Verdict | undefined;
  for (const [accountId, requests] of byAccount) {
    const verdict = checkAccount(accountId, requests, history.storedBefore ?? {}, options);
    states += verdict.states;
    if (verdict.verdict === 'not linearizable') return verdict;
    if (verdict.verdict === 'undecided') undecided ??= verdict;
  }
  return undecided ?? { verdict: 'linearizable', states };
}

function checkAccount(
  accountId: string,
  requests: Request[],
  storedBefore: Record<string, number>,
  { cap = Number.POSITIVE_INFINITY, compare = byDateAndId, statesMax = STATES_MAX }: Options,
): Verdict {
  const refuse = (text: string, involved: Request[], states: number): Verdict => ({
    verdict: 'not linearizable',
    states,
    text: reportOf(text, involved, requests),
    requests: involved,
    accountId,
  });
  try {
    const { operations, ambiguity } = operationsOf(requests, compare);
    const result = search(new LinearState(operations, storedBefore, cap), statesMax);
    const { states } = result;
    if (result.found) return { verdict: 'linearizable', states };
    if (result.found === undefined) {
      return { verdict: 'undecided', states, text: `No order was found in ${states} states.` };
    }
    if (ambiguity !== undefined) return { verdict: 'undecided', states, text: ambiguity };
    return refuse(
      placementOf(result),
      [...new Set(result.deadEnd.operations.map(({ request }) => request))],
      states,
    );
  } catch (error) {
    if (error instanceof Contradiction) return refuse(error.message, error.requests, 0);
    throw error;
  }
}

function placementOf({ deadEnd, placed }: SearchResult & { found: false }): string {
  const [goal] = deadEnd.operations;
  return `After ${placed} placed requests there is no place for ${goal?.request.name}.\n${deadEnd.text}`;
}

/** @throws Contradiction */
function operationsOf(
  requests: Request[],
  compare: Compare,
): { operations: Operation[]; ambiguity: string | undefined } {
  const sent = requests.filter((each) => each.kind === 'write');
  const entries = new Entries();
  const known = writesWithResponse(sent, entries);
  const pages = pageReads(
    requests.filter((each) => each.kind === 'page'),
    entries,
    compare,
  );
  const writes = [...known, ...writesWithoutResponse(sent, known, entries)];
  for (const entry of entries.seen) {
    if (entry.creators.length === 0 && entry.seenIn) {
      throw new Contradiction(`No request can have created ${nameOf(entry)}`, [entry.seenIn]);
    }
  }
  addLacking(pages, entries, compare);
  const reads = requests.filter((each) => each.kind === 'sources').flatMap(readOfSources);
  const refused = sent
    .filter((each) => each.refused === 'daily_cap')
    .map((each) => refusedByCap(each, entries));
  const operations = [...writes, ...pages, ...reads, ...refused];
  for (const operation of operations) limitUnknown(operation);
  return { operations, ambiguity: entries.ambiguity };
}

/** A write without an outcome precedes a response that names an entry which no other write can have created. */
function limitUnknown({ needs, ended }: Operation): void {
  for (const { creators } of needs) {
    const [creator, ...others] = creators;
    const isUnknown = creator && creator.request.response === undefined && others.length === 0;
    if (isUnknown && creator.begun <= ended) creator.ended = Math.min(creator.ended, ended);
  }
}

function readOfSources(request: Sources): Operation[] {
  if (!request.response) return [];
  const counts = new Map(request.response.sources.map(({ id, transactionCount }) => [id, transactionCount]));
  return [{ ...newOperation(request), counts }];
}

function refusedByCap(request: Write, entries: Entries): Operation {
  const refs = new Set(request.entries.flatMap(({ externalRef }) => externalRef ?? []));
  const referenced = [...refs].flatMap((ref) => entries.ofReference(ref) ?? []);
  const withoutRef = request.entries.filter(({ externalRef }) => externalRef === undefined).length;
  return {
    ...newOperation(request),
    refusal: { newEntries: withoutRef + refs.size - referenced.length, referenced },
  };
}

const AROUND_MAX = 8;

/** The reason, the requests that it names, and others at the same time. */
function reportOf(text: string, involved: Request[], requests: Request[]): string {
  const begun = Math.min(...involved.map((each) => each.begun));
  const ended = Math.max(...involved.map((each) => Math.min(each.ended, each.begun)));
  const around = requests
    .filter((each) => !involved.includes(each) && each.begun <= ended && each.ended >= begun)
    .slice(0, AROUND_MAX);
  const lines = (list: Request[]) =>
    list.toSorted((a, b) => a.begun - b.begun).map((each) => `  ${lineOf(each)}`);
  return [
    text,
    ...lines(involved),
    ...(around.length > 0 ? ['At the same time:', ...lines(around)] : []),
  ].join('\n');
}
