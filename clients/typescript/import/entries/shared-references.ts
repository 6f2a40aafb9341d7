/** References of a bank that different payments share: made of a date and an amount, or of nothing. */
import { type Draft, isRead } from '../drafts/draft.ts';
import type { ImportOptions } from '../options.ts';

/** Whether a bank made the reference. An external reference was chosen by the person, and stays. */
export const isOfBank = (referenceColumn: string | undefined) => referenceColumn !== 'externalRef';

/** The row without the bank's reference, so that one is derived. */
const withDerived = ({ reference: _, referenceColumn: __, ...others }: Draft): Draft => others;

const contentOf = ({ date, type, pence, currency, description }: Draft) =>
  JSON.stringify([date, type, pence, currency, description]);

const hasOfBank = (draft: Draft): draft is Draft & { reference: string } =>
  draft.reference !== undefined && isRead(draft) && isOfBank(draft.referenceColumn);

/**
 * Some banks begin their ids again in each statement: a row with the id of another row of an earlier statement of the file gets a derived
 * reference. The rows of the earlier one keep theirs. A row that another statement also has stays as it is.
 */
function withoutRestarted(drafts: Draft[]): Draft[] {
  const first = new Map<string, Draft>();
  const inStatement = new Map<Draft['statement'], Set<string>>();
  const statementOf = new Map<string, Draft['statement'] | 'several'>();
  for (const draft of drafts) {
    if (!draft.statement || !hasOfBank(draft)) continue;
    const key = draft.account + contentOf(draft);
    const other = statementOf.get(key) ?? draft.statement;
    statementOf.set(key, other === draft.statement ? other : 'several');
  }
  return drafts.map((draft) => {
    const { statement, account } = draft;
    if (!statement || !hasOfBank(draft)) return draft;
    const { reference } = draft;
    const earlier = first.get(reference) ?? draft;
    first.set(reference, earlier);
    const own = inStatement.get(statement) ?? new Set();
    inStatement.set(statement, own);
    const isFirst = !own.has(reference);
    own.add(reference);
    const isOther = earlier.statement !== statement && contentOf(earlier) !== contentOf(draft);
    const isAlone = statementOf.get(account + contentOf(draft)) === statement;
    return isFirst && isOther && isAlone ? withDerived(draft) : draft;
  });
}

/**
 * With `repeated: 'another'`, rows with different content that share a reference get derived references instead, which stay the same in a
 * file with fewer of these rows.
 */
export function withoutSharedReferences(drafts: Draft[], { repeated }: ImportOptions): Draft[] {
  if (repeated !== 'another') return withoutRestarted(drafts);
  const contents = new Map<string, Set<string>>();
  for (const draft of drafts) {
    if (!hasOfBank(draft)) continue;
    const all = contents.get(draft.reference) ?? new Set();
    contents.set(draft.reference, all.add(contentOf(draft)));
  }
  return drafts.map((draft) =>
    (contents.get(draft.reference ?? '')?.size ?? 0) > 1 && isOfBank(draft.referenceColumn)
      ? withDerived(draft)
      : draft,
  );
}
