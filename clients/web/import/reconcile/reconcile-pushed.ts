/** Reconciles the files that were pushed on this page: reads each again with the current rules, and compares it with the books. */

import { ImportError } from '../../../typescript/import/import-error.ts';
import type { ImportResult } from '../../../typescript/import/result.ts';
import { readBooks } from '../../../typescript/match/stored-books.ts';
import type { AppChange } from '../../../typescript/reconciliation/app-changes.ts';
import { compareWithBooks } from '../../../typescript/reconciliation/compare-with-books.ts';
import { reconcile } from '../../../typescript/reconciliation/reconcile.ts';
import type { Reconciliation } from '../../../typescript/reconciliation/reconciliation.ts';
import type { Session } from '../../key/session.ts';
import { uniqueName } from '../added-files.ts';
import { readWith } from '../read-file.ts';
import type { ReaderOf } from '../reader.ts';
import type { GivenFile, ImportState } from '../state.ts';

export interface Reconciled {
  reconciliation: Reconciliation;
  /** The changes that a person makes in the app. */
  corrections: readonly AppChange[];
  /** The question whether an entry that no row is, is a payment of its own, by the id of the entry. */
  keys: ReadonlyMap<string, string>;
}

/** @throws LedgerError; ImportError for rules that no longer fit */
export async function reconcilePushed(
  session: Session,
  state: ImportState,
  readerOf: ReaderOf,
): Promise<Reconciled> {
  const { rules } = state.categorising;
  const files: { file: GivenFile; name: string; bytes: Uint8Array; result: ImportResult }[] = [];
  for (const each of state.pushedFiles) {
    const { bytes } = each.file;
    const categorising = { ...each.categorising, rules };
    const read = await readWith(readerOf(bytes), { ...state, ...each, categorising });
    if (read instanceof ImportError) throw read;
    const name = uniqueName(each.file.name, files);
    files.push({ name, bytes, file: { name, bytes }, result: read.result });
  }
  const { compared } = await compareWithBooks(
    files,
    (period) => readBooks(session.ledger, session.sources, period),
    { source: undefined, decisions: state.decisions },
  );
  const text = rules === '' ? undefined : { text: rules, bytes: new TextEncoder().encode(rules) };
  const input = { ...compared, rules: text, rates: state.rates?.bytes };
  const { reconciliation, corrections, gone } = reconcile(input);
  const keys = gone.flatMap(({ storedRow, key, isCertain }): [string, string][] =>
    isCertain || key === undefined ? [] : storedRow.map(({ stored }) => [stored.id, key]),
  );
  return { reconciliation, corrections, keys: new Map(keys) };
}
