/** `preview_file` and `preview_rows`: read rows, compare them with the books, and create nothing. */
import { basename } from 'node:path';
import { z } from 'zod';
import { type ComparedFiles, newEntries } from '../typescript/match/compare.ts';
import type { FileEntry } from '../typescript/match/row.ts';
import { blockersOf } from '../typescript/push/blockers.ts';
import { listFiles, readWithin, realNameOf } from './folder.ts';
import { listOf } from './pages.ts';
import { inputShape, type PreviewArguments, type PreviewInput, readInput } from './preview-input.ts';
import { doubtsOf, previewRows, previewShape } from './preview-result.ts';
import { compareInput, type ToolContext } from './previews.ts';
import { ENTRIES_ARE_FINAL, shortText, UNTRUSTED_TEXTS } from './texts.ts';
import type { AddTool, Call } from './tool.ts';

/** Few enough for a person to check, and for one request. */
const PREVIEW_ENTRIES_MAX = 500;
const ROWS_LENGTH_MAX = 500_000;

/** The end of the description of both tools. */
const PREVIEW_RETURNS = `Returns a summary by source, category and rule, the entries that a commit would create, and the rows that it would not create: known, in conflict, probably known, of another source, skipped, invalid. Creates nothing. ${UNTRUSTED_TEXTS}`;

/** Adds `list_files`, `preview_file` and `preview_rows`. */
export function addPreviewTools(addTool: AddTool, context: ToolContext): void {
  addTool(
    'list_files',
    {
      title: 'List files',
      description: `The files of the allowed folder, newest first: \`path\` is for preview_file. Changes nothing. ${UNTRUSTED_TEXTS}`,
      input: {},
      output: {
        files: listOf({ path: z.string(), bytes: z.int(), modified: z.string() }),
        isComplete: z.boolean(),
      },
    },
    () => listFiles(context.folder),
  );
  addTool(
    'preview_file',
    {
      title: 'Preview a file',
      description: `Reads a bank export or a spreadsheet (CSV, XLSX, JSON, OFX, QIF, CAMT) of the allowed folder, and compares it with the ledger. ${PREVIEW_RETURNS}`,
      input: {
        path: z.string().min(1).max(1_000).describe('within the allowed folder: list_files has the files'),
        sheet: shortText.optional().describe('the name or the number of the sheet of a workbook'),
        ...inputShape,
      },
      output: previewShape,
    },
    async ({ path, ...options }, call) => {
      const bytes = await readWithin(context.folder, await realNameOf(context.folder, path));
      return preview(context, { name: basename(path), bytes }, options, call);
    },
  );
  addTool(
    'preview_rows',
    {
      title: 'Preview pasted rows',
      description: `Reads pasted rows, such as CSV with a header row, and compares them with the ledger. Paste all rows of a statement together, as they are: equal payments of one day are told apart by their number among each other. HMRC does not accept copying and pasting to move digital records: use preview_file if the rows are in a file, and tell the person otherwise. ${PREVIEW_RETURNS}`,
      input: { rows: z.string().min(1).max(ROWS_LENGTH_MAX), ...inputShape },
      output: previewShape,
    },
    ({ rows, ...options }, call) =>
      preview(context, { name: undefined, bytes: new TextEncoder().encode(rows) }, options, call),
  );
}

/**
 * Reads and compares the rows, and keeps them for a commit if nothing prevents it.
 * @returns the token of the preview, or null and the reason, with all rows
 * @throws ToolError, UserError, ImportError, LedgerError
 */
async function preview(
  { ledger, accountId, previews, readRules, closings, isReadOnly }: ToolContext,
  file: { name: string | undefined; bytes: Uint8Array },
  options: PreviewArguments,
  call: Call,
): Promise<z.infer<z.ZodObject<typeof previewShape>>> {
  const rules = options.rules ?? (await readRules());
  const input = await readInput(ledger, file, { ...options, rules }, call);
  const compared = await compareInput(ledger, input, closings.read(), call);
  const creates = newEntries(compared);
  const reason = isReadOnly
    ? 'This server only reads: a person starts it without --read-only for entries to be created.'
    : whyNoToken(input, compared, creates, options.skipInvalid ?? false);
  const rows = previewRows(compared, input.source, creates);
  const doubts = doubtsOf(rows);
  if (reason !== undefined) return { token: null, validUntil: null, advice: `${reason}${doubts}`, ...rows };
  const { token, until } = previews.add({ accountId: await accountId(call), compared });
  const advice = `Show the summary and the entries to the person, and commit the token only after the person has agreed. ${ENTRIES_ARE_FINAL}${doubts}`;
  return { token, validUntil: until.toISOString(), advice, ...rows };
}

/** The reason against a commit of the preview. Undefined: a commit may create the entries. */
function whyNoToken(
  { source }: PreviewInput,
  compared: ComparedFiles,
  creates: readonly FileEntry[],
  isInvalidSkipped: boolean,
): string | undefined {
  const [blocker] = blockersOf(compared, { invalid: isInvalidSkipped });
  if (blocker?.code === 'invalid') {
    return 'Some rows are invalid. Correct them as their messages say and preview again, or allow to leave them out with skipInvalid.';
  }
  if (blocker?.code === 'wrong source') {
    const { equal, entries } = blocker.wrongSource;
    return `${equal} of these ${entries} rows are already in another source, so that the file seems to belong there and not to ${source?.name}. Give that source: \`elsewhere\` names it. If both have equal payments, a person can use \`ledger push --another-source\`.`;
  }
  if (creates.length === 0) return 'There is nothing to create: no row is new.';
  if (creates.length > PREVIEW_ENTRIES_MAX) {
    return `${creates.length} entries are new, more than the ${PREVIEW_ENTRIES_MAX} of one preview. Preview a shorter period, or use \`ledger push\`.`;
  }
  return undefined;
}
