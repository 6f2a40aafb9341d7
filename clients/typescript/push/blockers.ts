/** Blockers of a push: a person has to correct, accept or decide them first. Each program words them. */
import type { Warning } from '../import/result.ts';
import { type ComparedFiles, newEntries, probableEntries, type WrongSource } from '../match/compare.ts';
import type { FileEntry, FileResult } from '../match/row.ts';
import { rowsWithoutSource } from '../match/without-source.ts';
import { unlikelyOf } from './unlikely.ts';

/** The code of a blocker, with the facts that its text needs. */
export type Blocker =
  /** Rows cannot be read, or no rule decides their source and the books do not have them: see `hasUnreadable`. */
  | { code: 'invalid' }
  | { code: 'wrong source'; wrongSource: WrongSource }
  /** Rows are probably in the books. */
  | { code: 'probable'; entries: FileEntry[] }
  | { code: 'unlikely dates'; warnings: (Warning & { file: string })[] };

/** The blockers that a person has accepted. */
export interface Accepted {
  /** Invalid rows are left out. */
  invalid?: boolean | undefined;
  /** The files are for their source, although another one has their entries. */
  anotherSource?: boolean | undefined;
  /** Rows that stay open. */
  probable?: readonly number[];
  /** Unlikely dates that are right. Undefined if a person sees them all before they are sent. */
  dates?: readonly string[] | undefined;
}

/** Whether rows are invalid for another reason than that nothing decides their source. */
export const hasUnreadable = (files: readonly Pick<FileResult, 'result'>[]): boolean =>
  files.some(({ result }) => {
    const withoutSource = rowsWithoutSource(result);
    return result.invalid.some(({ row }) => !withoutSource.has(row));
  });

/** The blockers of a push of these files, in the order of settling them. */
export function blockersOf(
  compared: ComparedFiles,
  { invalid = false, anotherSource = false, probable = [], dates }: Accepted,
): Blocker[] {
  const { files, wrongSource } = compared;
  const blockers: Blocker[] = [];
  if (!invalid && files.some(({ result }) => result.invalid.length > 0)) blockers.push({ code: 'invalid' });
  if (wrongSource && !anotherSource) blockers.push({ code: 'wrong source', wrongSource });
  const entries = probableEntries(compared);
  if (entries.some(({ row }) => !probable.includes(row))) blockers.push({ code: 'probable', entries });
  const warnings = dates ? unlikelyOf(newEntries(compared), files, dates) : [];
  if (warnings.length > 0) blockers.push({ code: 'unlikely dates', warnings });
  return blockers;
}
