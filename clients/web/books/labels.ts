/** The names of categories for people. */

import { type CategoryLabels, categoryLabel } from '../../typescript/figures/naming.ts';
import type { Source, Transaction } from '../../typescript/index.ts';

/** An entry, with the property or business that it is of. */
export interface BooksEntry extends Transaction {
  source: Source;
}

export const categoryText = (
  { type, category, source }: Pick<BooksEntry, 'type' | 'category'> & { source: Pick<Source, 'type'> },
  labels: CategoryLabels,
): string =>
  category === null ? 'To be sorted in the app' : categoryLabel(labels, source.type, { type, category });
