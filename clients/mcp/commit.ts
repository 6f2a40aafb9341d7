/** `commit_preview`: pushes the entries that a preview has shown, and no others. */

import { z } from 'zod';
import { UserError } from '../files/user-error.ts';
import { balanceChecks, checksOfWholeFiles } from '../typescript/balances/balances.ts';
import { counted } from '../typescript/counted.ts';
import type { Ledger } from '../typescript/index.ts';
import type { ComparedFiles } from '../typescript/match/compare.ts';
import { type ComparedEntry, isNew, isProbable } from '../typescript/match/compared-entry.ts';
import { type Accepted, type Blocker, blockersOf } from '../typescript/push/blockers.ts';
import { countsOf, takenText, withoutEntry } from '../typescript/push/outcomes.ts';
import { type ComparedPushResult, pushCompared } from '../typescript/push/push-compared.ts';
import { ledgerMessage, ToolError } from './errors.ts';
import { list, listOf } from './pages.ts';
import type { KeptClosings, Preview, ToolContext } from './previews.ts';
import { day, ENTRIES_ARE_FINAL } from './texts.ts';
import type { AddTool, Call } from './tool.ts';

const PUSH_RETRY_MS_MAX = 10_000;
const DATES_SHOWN = 20;
const TAKEN_SHOWN = 5;
const COMMIT_AGAIN = 'Commit the same token again to send what is not stored: nothing is created twice.';

const status = z.enum([
  'created',
  'known',
  'conflict',
  'probably known',
  'probably a correction',
  'elsewhere',
  'unknown',
  'taken',
  'not sent',
]);

const commitShape = {
  created: z.int(),
  known: z.int().describe('were stored before, under the same reference'),
  unknown: z.int().describe('may be stored: a request got no readable response'),
  notCreated: z.int().describe('all others of the preview'),
  isComplete: z.boolean().describe('true: each entry is stored or left open for the person'),
  advice: z.string().describe('what was done, and what to do next'),
  entries: listOf({
    row: z.int(),
    part: z.int().nullable(),
    reference: z.string(),
    status,
    id: z.string().nullable(),
  }).describe('entries that are neither created nor known come first'),
};
type CommitResult = z.infer<z.ZodObject<typeof commitShape>>;

/** Adds `commit_preview`. */
export function addCommitTool(addTool: AddTool, { ledger, previews, closings }: ToolContext): void {
  const inTurn = createQueue();
  addTool(
    'commit_preview',
    {
      title: 'Create the entries of a preview',
      description: `Creates the new entries of a preview, for good: there is no tool that changes or deletes an entry. ${ENTRIES_ARE_FINAL} Call it only after a person has seen the preview and agreed. Creates nothing if a date is unlikely and \`allowDates\` does not name it, or if rows are probably stored and \`stayOpen\` does not name them. Safe to repeat: an entry that is stored is not created again. Stops at the daily cap.`,
      input: {
        token: z.string().max(100).describe('of preview_file or preview_rows'),
        allowDates: z.array(day).max(100).optional().describe('unlikely dates that a person has confirmed'),
        stayOpen: z
          .array(z.int())
          .max(1_000)
          .optional()
          .describe('rows that are probably stored, and that stay open, as a person has agreed'),
      },
      output: commitShape,
      isWrite: true,
    },
    ({ token, allowDates = [], stayOpen = [] }, call) =>
      inTurn(() =>
        commit(ledger, closings, previews.get(token), { dates: allowDates, probable: stayOpen }, call),
      ),
  );
}

/** Commits run one after the other: two previews may show one payment with different texts, and the second must see the stored entry. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  };
}

/**
 * Pushes the entries of a preview, and keeps the closing balances of whole files if each entry is stored and none is left open.
 * @throws ToolError if a person has to decide first, or if the push failed and stored nothing; LedgerError if the books cannot be read
 */
async function commit(
  ledger: Ledger,
  closings: KeptClosings,
  { compared }: Preview,
  accepted: Accepted,
  call: Call,
): Promise<CommitResult> {
  requireUnblocked(compared, accepted);
  const pushed = await pushCompared(ledger, compared, {
    wait: false,
    signal: call.signal,
    retryTimeoutMs: PUSH_RETRY_MS_MAX,
    onProgress: ({ pause }) => call.onPause(pause),
  });
  if (pushed.error && pushed.created + pushed.deduplicated + pushed.unknownIndexes.length === 0)
    throw new ToolError(`${ledgerMessage(pushed.error)} ${COMMIT_AGAIN}`);
  const result = commitResult(compared, pushed, call);
  const problem = isAllStored(pushed) ? await keepClosings(closings, compared) : undefined;
  return problem === undefined ? result : { ...result, advice: `${result.advice} ${problem}` };
}

/** @returns why the closing balances are not kept: the entries are stored in any case */
async function keepClosings(closings: KeptClosings, { files }: ComparedFiles): Promise<string | undefined> {
  try {
    await closings.keep(checksOfWholeFiles(files, balanceChecks(files, closings.read())).flat());
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `The closing balances are not kept: ${error.message}`;
  }
}

/** Whether each entry is stored, and none is left open. An entry counts that another push has stored with other content or in another source. */
const isAllStored = ({ compared: { entries }, outcomes }: ComparedPushResult): boolean =>
  withoutEntry(entries, outcomes).length === 0 &&
  !entries.some((each) => isProbable(each) || each.matchStatus === 'held back');

/** @throws ToolError that names the rows that are open questions, or the dates that are unlikely */
function requireUnblocked(compared: ComparedFiles, accepted: Accepted): void {
  // The preview has shown the other blockers.
  const [blocker] = blockersOf(compared, { ...accepted, invalid: true, anotherSource: true });
  if (blocker?.code === 'probable') throw new ToolError(probableText(blocker, accepted));
  if (blocker?.code === 'unlikely dates') throw new ToolError(unlikelyText(blocker));
}

function probableText(
  { entries }: Extract<Blocker, { code: 'probable' }>,
  { probable = [] }: Accepted,
): string {
  const rows = [...new Set(entries.map(({ row }) => row))];
  const undecided = rows.filter((row) => !probable.includes(row));
  return `Rows that are probably stored: ${undecided.length}. Nothing was created. Show them to the person. The import page and \`ledger push --decide\` take the answers. If the person agrees that they stay open, commit the token with \`stayOpen\` ${JSON.stringify(rows)}.`;
}

function unlikelyText({ warnings }: Extract<Blocker, { code: 'unlikely dates' }>): string {
  const rows = warnings.slice(0, DATES_SHOWN).map(({ row, message }) => `Row ${row}: ${message}`);
  const dates = JSON.stringify([...new Set(warnings.map(({ value }) => value))].slice(0, DATES_SHOWN));
  return `${rows.join(' ')} Nothing was created. Ask the person whether each date is right. If it is, commit the token with \`allowDates\` ${dates}; if not, correct the rows and preview again.`;
}

function commitResult(shown: ComparedFiles, pushed: ComparedPushResult, call: Call): CommitResult {
  const unknown = new Set(pushed.unknownIndexes);
  const indexes = shown.entries.flatMap((each, index) => (isNew(each) ? index : []));
  const entries = indexes.map((index) => {
    const { row, part = null, toSend } = shown.entries[index] as ComparedEntry;
    const outcome = pushed.outcomes[index];
    return {
      row,
      part,
      reference: toSend.externalRef ?? '',
      status: outcome?.status ?? (unknown.has(index) ? ('unknown' as const) : ('not sent' as const)),
      id: outcome?.id ?? null,
    };
  });
  const isStored = ({ status }: (typeof entries)[number]) => status === 'created' || status === 'known';
  const counts = countsOf(indexes.map((index) => pushed.outcomes[index]));
  const { created, known, conflicts, probable, elsewhere, taken, remaining } = counts;
  return {
    created,
    known,
    unknown: unknown.size,
    notCreated: entries.length - created - known - unknown.size,
    isComplete: taken + remaining === 0,
    advice: adviceOf(created, conflicts + probable + elsewhere, pushed, call),
    entries: list([...entries.filter((each) => !isStored(each)), ...entries.filter(isStored)]),
  };
}

/** The result of a commit in words, with the next step. @param others entries that are stored in other words, or in another source, by now */
function adviceOf(created: number, others: number, pushed: ComparedPushResult, call: Call): string {
  const { stoppedBy, fitsNow, retryAt, error } = pushed;
  const createdText = `${counted(created, 'entry was', 'entries were')} created.`;
  if (error) return `${ledgerMessage(error)} ${COMMIT_AGAIN}`;
  if (stoppedBy === 'daily_cap') {
    return `The daily cap of the account is reached: ${fitsNow ?? 0} more entries fit now, and the next from ${retryAt?.toISOString()} on. Preview the rest again then.`;
  }
  if (stoppedBy === 'interrupted') return `${(call.signal.reason as Error).message} ${COMMIT_AGAIN}`;
  const taken = pushed.outcomes.flatMap((outcome) => (outcome?.status === 'taken' ? takenText(outcome) : []));
  if (taken.length > 0)
    return `${createdText} ${taken.length} ${taken.length === 1 ? 'is' : 'are'} not stored: ${taken.slice(0, TAKEN_SHOWN).join(' ')} If the bank begins its ids again, preview with another \`accountLabel\`, or without the column of references.`;
  if (others > 0) {
    return `${createdText} ${counted(others, 'other is', 'others are')} stored in other words or in another source by now, and not created: preview again to see them.`;
  }
  return created === 0
    ? 'Nothing was created: the entries are known.'
    : `${createdText} ${ENTRIES_ARE_FINAL}`;
}
