/**
 * Decides whether the history of an account is linearizable: whether each request can have taken effect at one moment
 * between call and response, such that a single ledger gives every response. A request without an outcome may take effect
 * at any time after its call, or never. A refused one has no effect. A page is one request; a walk of pages is not.
 */

import { Entries, writesWithResponse } from './entries.ts';
import { Contradiction, nameOf, newOperation, type Operation } from './operations.ts';
import { addLacking, pageReads } from './pages.ts';
import { lineOf, type Request, type Sources, type Write } from './requests.ts';
import { search } from './search.ts';
import { LinearState } from './state.ts';
import { writesWithoutResponse } from './unknown.ts';

export interface Options {
  /** Entries that an account may create within a day. The history is shorter than a day. */
  cap: number;
  /** The most states to search. */
  statesMax?: number;
}

export type Verdict =
  | { verdict: 'linearizable' }
  | { verdict: 'undecided' | 'not linearizable'; text: string };

const STATES_MAX = 200_000;

/** Checks the requests of one account. */
export function checkLinearizability(requests: Request[], { cap, statesMax = STATES_MAX }: Options): Verdict {
  const refuse = (text: string, involved: Request[]): Verdict => ({
    verdict: 'not linearizable',
    text: reportOf(text, involved, requests),
  });
  try {
    const { operations, ambiguity } = operationsOf(requests);
    const result = search(new LinearState(operations, cap), statesMax);
    if (result === 'found') return { verdict: 'linearizable' };
    if (result === 'undecided') {
      return { verdict: 'undecided', text: `No order was found in ${statesMax} states.` };
    }
    if (ambiguity !== undefined) return { verdict: 'undecided', text: ambiguity };
    const { operations: path, text, placed } = result;
    const place = `After ${placed} placed requests there is no place for ${path[0]?.request.name}.`;
    return refuse(`${place}\n${text}`, [...new Set(path.map(({ request }) => request))]);
  } catch (error) {
    if (error instanceof Contradiction) return refuse(error.message, error.requests);
    throw error;
  }
}

/** @throws Contradiction */
function operationsOf(requests: Request[]): { operations: Operation[]; ambiguity: string | undefined } {
  const sent = requests.filter((each) => each.kind === 'write');
  const entries = new Entries();
  const known = writesWithResponse(sent, entries);
  const pages = pageReads(
    requests.filter((each) => each.kind === 'page'),
    entries,
  );
  const writes = [...known, ...writesWithoutResponse(sent, known, entries)];
  for (const entry of entries.seen) {
    if (entry.creators.length === 0 && entry.seenIn) {
      throw new Contradiction(`No request can have created ${nameOf(entry)}`, [entry.seenIn]);
    }
  }
  addLacking(pages, entries);
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
