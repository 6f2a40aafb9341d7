/** `ledger figures`: the sums of a tax year by HMRC's fields, of each quarter and so far. It submits nothing. */

import { requireWritable, writeWhole } from '../../files/whole-file.ts';
import { profilesFile } from '../../settings/profiles.ts';
import { readRules } from '../../settings/rules.ts';
import { sourceIn } from '../../settings/sources.ts';
import { ukDay } from '../../typescript/days.ts';
import { workbookOf } from '../../typescript/export/workbook.ts';
import { documentOfFigures } from '../../typescript/figures/document.ts';
import { categoryLabels } from '../../typescript/figures/naming.ts';
import {
  type Quarter,
  type Quarters,
  taxYearName,
  taxYearOf,
  taxYearStart,
} from '../../typescript/figures/periods.ts';
import { figuresSheets } from '../../typescript/figures/sheets.ts';
import { changesSince } from '../../typescript/figures/since.ts';
import { snapshotOf } from '../../typescript/figures/snapshot.ts';
import { statedFacts } from '../../typescript/figures/stated-facts.ts';
import { daysToRead, lastYearQuestion, yearFigures } from '../../typescript/figures/year.ts';
import { sourcesWithCategories } from '../../typescript/source-categories.ts';
import { booksOf, connect } from '../connection.ts';
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
  const quarters: Quarters = options.calendarQuarters ? 'calendar' : 'standard';
  const today = ukDay();
  const start = startOf(options.taxYear ?? taxYearName(taxYearOf(today)));
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
  const isOfOneSource = options.source !== undefined;
  const chosen = options.source === undefined ? sources : [sourceIn(sources, options.source)];
  const choice = { start, quarter, quarters, lastYear: options.lastYear, today, isOfOneSource };
  const books = await booksOf(ledger, chosen, options, daysToRead(choice));
  const question = lastYearQuestion(books, choice);
  if (question !== undefined)
    throw usageError(`${question} Answer with --last-year calendar or --last-year standard.`);
  const year = yearFigures(books, choice, facts);
  const source = isOfOneSource ? (chosen[0]?.id ?? null) : null;
  const earlier =
    options.since === undefined ? undefined : await readSince(options.since, { year, sources, source });
  const snapshot = snapshotOf(year, books.byId);
  const since = earlier && { from: earlier.from, to: earlier.to, changes: changesSince(earlier, snapshot) };
  output.result(
    { ...documentOfFigures(year, snapshot, source), ...(since && { since: sinceDocument(since) }) },
    [...figuresLines(year, labels), ...(since ? sinceLines(since, labels) : [])],
  );
  if (options.xlsx === undefined) return;
  await writeWhole(options.xlsx, [workbookOf('figures', figuresSheets(year, snapshot, labels))], target);
}

function startOf(taxYear: string): number {
  const start = taxYearStart(taxYear);
  if (start === undefined) throw usageError('--tax-year takes a tax year such as 2026-27.');
  return start;
}

function quarterOf(text: string | undefined): Quarter | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-4]$/.test(text)) throw usageError('--quarter takes 1, 2, 3 or 4.');
  return Number(text) as Quarter;
}
