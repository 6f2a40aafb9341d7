/** References of a bank that several different payments have: made of a date and an amount, or of nothing. */
import { type Draft, isRead } from '../drafts/draft.ts';
import type { ImportOptions } from '../options.ts';

/** Whether a bank made the reference. The external reference of an entry is the person's own, and stays. */
export const isOfBank = (referenceColumn: string | undefined) => referenceColumn !== 'externalRef';

/**
 * With `repeated: 'another'`, a reference that rows with other content share names none of them: each gets a derived one, which another
 * file with fewer of these rows does not change.
 */
export function withoutSharedReferences(drafts: Draft[], { repeated }: ImportOptions): Draft[] {
  if (repeated !== 'another') return drafts;
  const contents = new Map<string, Set<string>>();
  for (const draft of drafts) {
    if (draft.reference === undefined || !isRead(draft) || !isOfBank(draft.referenceColumn)) continue;
    const { reference, date, type, pence, currency, description } = draft;
    const all = contents.get(reference) ?? new Set();
    contents.set(reference, all.add(JSON.stringify([date, type, pence, currency, description])));
  }
  return drafts.map((draft) => {
    const { reference, referenceColumn, ...others } = draft;
    return (contents.get(reference ?? '')?.size ?? 0) > 1 && isOfBank(referenceColumn) ? others : draft;
  });
}
