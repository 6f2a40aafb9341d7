/** References of a bank that different payments share: made of a date and an amount, or of nothing. */
import { type Draft, isRead } from '../drafts/draft.ts';
import type { ImportOptions } from '../options.ts';

/** Whether a bank made the reference. An external reference was chosen by the person, and stays. */
export const isOfBank = (referenceColumn: string | undefined) => referenceColumn !== 'externalRef';

/**
 * With `repeated: 'another'`, rows with different content that share a reference get derived references instead, which stay the same in a
 * file with fewer of these rows.
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
