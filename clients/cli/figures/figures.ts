/** `ledger figures`: the sums of a tax year by HMRC's fields, of each quarter and so far. It submits nothing. */

import { requireWritable, writeWhole } from '../../files/whole-file.ts';
import { profilesFile } from '../../settings/profiles.ts';
import { readRules } from '../../settings/rules.ts';
import { sourceIn } from '../../settings/sources.ts';
import { ukDay } from '../../typescript/days.ts';
import { workbookOf } from '../../typescript/export/workbook.ts';
import { documentOfFigures } from '../../typescript/figures/document.ts';
import { categoryLabels } from '../../typescript/figures/naming.ts';
import { type Quarter, taxYearOf, taxYearStart } from '../../typescript/figures/periods.ts';
import { readYear } from '../../typescript/figures/read-year.ts';
import { figuresSheets } from '../../typescript/figures/sheets.ts';
import { changesSince } from '../../typescript/figures/since.ts';
import { statedFacts } from '../../typescript/figures/stated-facts.ts';
import { sourcesWithCategories } from '../../typescript/source-categories.ts';
import { connect, readBooksWithProgress } from '../connection.ts';
import { usageError } from '../exit.ts';
import { FIGURES_WORKBOOK } from '../output-kinds.ts';
import { readSince, sinceDocument, sinceLines } from './changes-since.ts';
import type { FiguresOptions } from './figures-options.ts';
import { figuresLines } from './figures-text.ts';

/**
 * Prints the figures of a tax year, and writes them as a workbook with --xlsx.
 * @throws CliError, UserError, LedgerError
 */
export async function figures(options: FiguresOptions): Promise<void> {
  const { lastYear, calendarQuarters } = options;
  const start = startYearOf(options.taxYear);
  const quarter = quarterOf(options.quarter);
  const { ledger, output } = connect(options);
  const rules = await readRules(options);
  const inputs = [
    profilesFile(options),
    ...(rules ? [rules.file] : []),
    ...(options.since ? [options.since] : []),
  ];
  const target = { inputs, kind: FIGURES_WORKBOOK, force: options.force };
  if (options.xlsx !== undefined) requireWritable(options.xlsx, target);
  const sources = await ledger.sources();
  const facts = rules && statedFacts(rules.text, await sourcesWithCategories(ledger, sources));
  const labels = categoryLabels(await ledger.categories());
  const source = options.source === undefined ? undefined : sourceIn(sources, options.source);
  const read = await readYear(
    { start, quarter, lastYear, calendarQuarters, sources, source, facts },
    (chosen, days) => readBooksWithProgress(ledger, chosen, options, days),
  );
  if (read.question !== undefined)
    throw usageError(`${read.question} Answer with --last-year calendar or --last-year standard.`);
  const { year, snapshot } = read;
  const earlier = options.since === undefined ? undefined : await readSince(options.since, read);
  const since = earlier && { from: earlier.from, to: earlier.to, changes: changesSince(earlier, snapshot) };
  // First: a result that is printed has its workbook.
  if (options.xlsx !== undefined)
    await writeWhole(options.xlsx, [workbookOf('figures', figuresSheets(year, snapshot, labels))], target);
  output.result(
    { ...documentOfFigures(year, snapshot, read.source), ...(since && { since: sinceDocument(since) }) },
    [...figuresLines(year, labels), ...(since ? sinceLines(since, labels) : [])],
  );
}

function startYearOf(taxYear: string | undefined): number {
  const start = taxYear === undefined ? taxYearOf(ukDay()) : taxYearStart(taxYear);
  if (start === undefined) throw usageError('--tax-year takes a tax year such as 2026-27.');
  return start;
}

function quarterOf(text: string | undefined): Quarter | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-4]$/.test(text)) throw usageError('--quarter takes 1, 2, 3 or 4.');
  return Number(text) as Quarter;
}
