/** Sources as the API lists them, and entries of them. */
import type { Source, StoredEntry, Transaction } from '../../../clients/typescript/index.ts';

/** A UK property that is called by its id, unless `fields` say otherwise. */
export const sourceOf = (id: string, fields: Partial<Source> = {}): Source => ({
  id,
  name: id,
  type: 'uk-property',
  countryCode: null,
  role: 'owner',
  sharePercent: 100,
  transactionCount: 0,
  ...fields,
});

let count = 0;

/** An entry of a source: an income of a penny without a category, unless it is said otherwise. */
export function storedIn(source: Source, fields: Partial<Transaction> = {}): StoredEntry {
  const content = { date: '2026-05-01', type: 'income', amountPence: 1 } as const;
  const texts = { category: null, description: null, externalRef: null };
  return { source, stored: { id: `e${++count}`, ...content, ...texts, ...fields } };
}
