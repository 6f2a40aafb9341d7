/** The work on an import belongs to one account: another key of the account goes on with it, a key of another account begins anew. */
import type { Session } from '../key/session.ts';
import { createSuggesting } from './check/suggesting.ts';
import { createImporter, type ImporterOptions } from './importer.ts';
import { type PreferenceStorage, preferencesIn } from './preferences.ts';

interface ImportsOptions extends Omit<ImporterOptions, 'preferences' | 'files'> {
  /** Returns the storage of the browser. */
  storage: () => PreferenceStorage;
}

/** @returns finds the work of the account of a session; without a session, the last one */
export function importsByAccount({ storage, ...options }: ImportsOptions) {
  let account: string | undefined;
  let work = beginImport(options);
  return (session: Session | undefined) => {
    const opened = session?.account.accountId;
    if (opened === undefined || opened === account) return work;
    account = opened;
    const { files: before } = work.importer.state.peek();
    work.importer.setSession(undefined);
    work.suggesting.setSession(undefined);
    const files = before.map(({ file }) => file);
    const onKeyRefused = (reason: string) => opened === account && options.onKeyRefused(reason);
    work = beginImport({ ...options, onKeyRefused, preferences: preferencesIn(storage, opened), files });
    return work;
  };
}

function beginImport(options: ImporterOptions) {
  const importer = createImporter(options);
  return { importer, suggesting: createSuggesting(importer.state, importer.handleRefusedKey) };
}
