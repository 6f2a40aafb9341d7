/** The Books tab: the entries of a source, read from the ledger. */
import type { Ledger, Source } from '../../typescript/index.ts';

export interface BooksProps {
  ledger: Ledger;
  sources: readonly Source[];
}

export function Books(_props: BooksProps) {
  return <p class="card">not here yet</p>;
}
