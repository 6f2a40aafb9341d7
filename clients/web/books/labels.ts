/** The names of categories for people. */

import { type CategoryLabels, categoryLabel } from '../../typescript/figures/naming.ts';
import type { Source, Transaction } from '../../typescript/index.ts';

/** An entry, with the property or business that it is of. */
export interface BooksEntry extends Transaction {
  source: Source;
}

/** An entry without a category. */
export const NO_CATEGORY = 'To be sorted in the app';

export const categoryText = (
  { type, category, source }: Pick<BooksEntry, 'type' | 'category'> & { source: Pick<Source, 'type'> },
  labels: CategoryLabels,
): string => (category === null ? NO_CATEGORY : categoryLabel(labels, source.type, { type, category }));
