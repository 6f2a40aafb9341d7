/** The arguments of a preview, read by the reader of statements with the sources of the account. */
import { z } from 'zod';
import { sourceIn } from '../settings/sources.ts';
import {
  type ColumnAnswers,
  FIELDS,
  FILE_SETTINGS,
  type FileSetting,
  type ImportResult,
  MEANINGS,
  readImportFile,
  UNITS,
} from '../typescript/import/index.ts';
import type { Ledger, Source } from '../typescript/index.ts';
import { namesSources, sourcesWithCategories } from '../typescript/source-categories.ts';
import { ToolError } from './errors.ts';
import { shortText } from './texts.ts';
import type { Call } from './tool.ts';

const longText = z.string().max(100_000);
/** `in`: money in. `out`: money out. `skip`: no payment to store. `keep`: a payment like the others. */
const meaning = z.enum(MEANINGS);

/** The options of the reader that a person or a rule can give. Workbooks are files, which have the argument `sheet` in addition. */
type ReaderArgument = Exclude<FileSetting, 'sheet'> | keyof ColumnAnswers | 'rowMeanings';

export const inputShape = {
  source: shortText
    .optional()
    .describe('the id or the name of the source of rows that no rule and no column assigns'),
  rules: longText
    .optional()
    .describe(
      'the text of a rules file (explain_rules has the grammar); by default the rules kept by `ledger rules`; an empty text: none',
    ),
  rates: longText
    .optional()
    .describe(
      'the text of a CSV file of rates for amounts in other currencies: month or date, currency, pounds per unit. A person has them: never make them up.',
    ),
  map: z
    .partialRecord(z.enum(FIELDS), shortText)
    .optional()
    .describe(
      'the column of each field, by name or 1-based number, if the reader does not find it. In `spent` a minus is money back.',
    ),
  ignore: z.array(shortText).max(100).optional().describe('columns without payments'),
  values: z
    .record(shortText, z.record(shortText, meaning))
    .optional()
    .describe(
      'by column and value: money in or out, skip: no payment, keep: a row as usual. A person knows.',
    ),
  rowMeanings: z
    .record(shortText, meaning)
    .optional()
    .describe('the same by row: a possible total, or a line of text above rows'),
  unit: z.enum(UNITS).optional(),
  amounts: z
    .array(
      z.object({
        columns: z.array(shortText).min(1).max(20).describe('columns that add up to one entry'),
        direction: z.enum(['in', 'out']),
        category: shortText.optional().describe('a key or a label'),
        source: shortText.optional().describe('the id or the name of a source'),
      }),
    )
    .max(20)
    .optional()
    .describe(
      "several amounts of a row, such as the rent, the fee and the repairs of an agent's statement; `map.check` names the column of their sum. Ask a person for their meaning.",
    ),
  format: z.enum(FILE_SETTINGS.format).optional(),
  encoding: z.enum(FILE_SETTINGS.encoding).optional().describe('of a text file, if letters are wrong'),
  bank: shortText.optional().describe('the bank, if the header row does not show it'),
  dateFormat: z.enum(FILE_SETTINGS.dateFormat).optional().describe('the order of ambiguous dates'),
  decimal: z.enum(FILE_SETTINGS.decimal).optional(),
  repeated: z
    .enum(FILE_SETTINGS.repeated)
    .optional()
    .describe('equal rows with one reference of the bank: one payment, or several. A person knows.'),
  accountLabel: shortText
    .optional()
    .describe('the bank account, if the file does not name it. Give the same for all files of one account.'),
  categoryIncome: shortText.optional().describe('the category of income without one'),
  categoryExpense: shortText.optional().describe('the category of expenses without one'),
  skipInvalid: z.boolean().optional().describe('allow to commit the other rows although some are invalid'),
} satisfies z.ZodRawShape & Record<ReaderArgument, z.ZodType>;

export type PreviewArguments = z.infer<z.ZodObject<typeof inputShape>> & { sheet?: string | undefined };

/** The read rows of a preview, and the sources that they were read with. */
export interface PreviewInput {
  /** The name of the file; undefined for pasted rows. */
  name: string | undefined;
  result: ImportResult;
  sources: readonly Source[];
  source: Source | undefined;
}

/** @throws ToolError, UserError, ImportError, LedgerError */
export async function readInput(
  ledger: Ledger,
  { name, bytes }: { name: string | undefined; bytes: Uint8Array },
  { source: nameOrId, rules, skipInvalid, ...options }: PreviewArguments,
  call: Call,
): Promise<PreviewInput> {
  if (nameOrId === undefined && !rules && !namesSources(options)) {
    throw new ToolError(
      'Nothing decides about the source of the rows. Give `source` (list_sources has the ids), `rules`, or a column in `map.source`.',
    );
  }
  const sources = await ledger.sources(call);
  const source = nameOrId === undefined ? undefined : sourceIn(sources, nameOrId);
  const result = await readImportFile(bytes, {
    ...options,
    fileName: name,
    rules: rules || undefined,
    source: source?.id,
    sources: await sourcesWithCategories(ledger, sources, call),
  });
  return { name, result, sources, source };
}
