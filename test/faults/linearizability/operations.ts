/** Operations and entries as the checker sees them. */
import type { Request, Write } from './requests.ts';

export interface Entry {
  /** Undefined if no response names it. */
  id?: string;
  ref: string | null;
  sourceId?: string;
  date?: string;
  content?: string;
  /** The request whose response was the first to name it. */
  seenIn?: Request;
  /** The writes that may have created it. If `isCertain`, all are attempts of one write. */
  creators: Operation[];
  isCertain: boolean;
  /** Its position in the write that created it. */
  index: number;
  isStored: boolean;
}

/** The writes with one Idempotency-Key. */
export interface KeyGroup {
  /** The first that took effect. */
  first?: Operation;
}

export interface Operation {
  request: Request;
  begun: number;
  /** Infinity if the outcome is unknown: it may take effect at any later time, or never. */
  ended: number;
  /** Entries that must be stored before it. */
  needs: Entry[];
  /** Entries that are stored after it. */
  creates: Entry[];
  /** Pages that lack what it creates, so they were read before. */
  lackedBy: { page: Operation; entry: Entry }[];
  /** Of a read of the sources: the count of each. */
  counts: Map<string, number>;
  /** Of a write refused with `daily_cap`: the number of certainly new entries, and the entries that may have been stored. */
  refusal?: { newEntries: number; referenced: Entry[] };
  group?: KeyGroup;
  /** Whether it has a place in the order being searched. */
  isPlaced: boolean;
}

/** No order explains these responses. */
export class Contradiction extends Error {
  constructor(
    message: string,
    readonly requests: Request[],
  ) {
    super(message);
  }
}

export function newOperation(request: Request): Operation {
  const hasOutcome = request.response !== undefined || request.refused !== undefined;
  return {
    request,
    begun: request.begun,
    ended: hasOutcome ? request.ended : Number.POSITIVE_INFINITY,
    needs: [],
    creates: [],
    lackedBy: [],
    counts: new Map(),
    isPlaced: false,
  };
}

export function nameOf({ id, ref }: Entry): string {
  if (ref !== null) return `the entry with the reference ${JSON.stringify(ref)}`;
  return id === undefined ? 'an entry without a reference' : `the entry ${id}`;
}

export const sourceOf = ({ request }: Operation) => (request as Write).sourceId;
