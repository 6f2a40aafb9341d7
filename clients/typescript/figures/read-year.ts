/** Reads the books of a tax year and sums them up, for the command and for assistants. The page shows entries that it has read already. */
import { type Days, ukDay } from '../days.ts';
import type { Books } from '../match/stored-books.ts';
import type { Source } from '../resources.ts';
import type { ComparableFigures } from './earlier.ts';
import type { StatedFacts } from './period-figures.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { daysToRead, lastYearQuestion, type YearChoice, type YearFigures, yearFigures } from './year.ts';

interface YearRequest extends Pick<YearChoice, 'start' | 'quarter' | 'lastYear'> {
  calendarQuarters: boolean | undefined;
  /** All sources of the account. */
  sources: readonly Source[];
  /** The only source of the figures. Undefined: all. */
  source: Source | undefined;
  facts: StatedFacts | undefined;
}

/** The figures with the entries behind them, or the question that a person has to answer first. */
type YearReading =
  | (ComparableFigures & { question: undefined; year: YearFigures; snapshot: Snapshot })
  | { question: string };

/** @param readIn reads the entries of these sources and days */
export async function readYear(
  { start, quarter, lastYear, calendarQuarters, sources, source, facts }: YearRequest,
  readIn: (sources: readonly Source[], days: Days) => Promise<Books>,
): Promise<YearReading> {
  const quarters = calendarQuarters ? 'calendar' : 'standard';
  const isOfOneSource = source !== undefined;
  const choice: YearChoice = { start, quarter, quarters, lastYear, today: ukDay(), isOfOneSource };
  const books = await readIn(source ? [source] : sources, daysToRead(choice));
  const question = lastYearQuestion(books, choice);
  if (question !== undefined) return { question };
  const year = yearFigures(books, choice, facts);
  return { question, year, sources, source: source?.id ?? null, snapshot: snapshotOf(year, books.byId) };
}
