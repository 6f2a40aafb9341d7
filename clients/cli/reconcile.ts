/** `ledger reconcile`: compares a file with the stored entries of a source. */
import { compareWithBooks, differences } from '../typescript/books/comparison.ts';
import { pounds } from '../typescript/books/pounds.ts';
import { type Books, daysOf, type Period } from '../typescript/books/stored-books.ts';
import { netOf, totalsBy } from '../typescript/books/totals.ts';
import type { NewTransaction, ReadEntry } from '../typescript/import/index.ts';
import type { Source, Transaction } from '../typescript/index.ts';
import { booksOf, connect, planSources, sourceIn } from './context.ts';
import { CliError, EXIT, type ExitCode } from './exit.ts';
import { fileOptions } from './file-options.ts';
import { counted, startOf, table } from './output.ts';
import { readRules } from './rules.ts';
import { readFile, readInput, readRates, type StatementOptions } from './statement-options.ts';

interface FileEntry extends NewTransaction {
  row: number;
}

export interface Reconciliation {
  matched: number;
  missingInLedger: FileEntry[];
  missingInFile: Transaction[];
  different: { row: number; id: string; fields: readonly string[] }[];
}

/** Compares within --from and --to; by default, within the period of the file. Changes nothing. */
export async function reconcile(
  file: string,
  options: StatementOptions & Period & { source: string },
): Promise<ExitCode> {
  const { ledger, output } = connect(options);
  const sources = await ledger.sources();
  const source = sourceIn(sources, options.source);
  const place = { sources: await planSources(ledger, sources), source: source.id };
  const rates = await readRates(options);
  const { invalid, ...statement } = await readFile(
    file,
    await readInput(file, options.io),
    place,
    options,
    fileOptions([file], options)(file),
    {
      rules: (await readRules(options))?.text,
      rates: rates && new TextDecoder().decode(rates),
    },
  );
  if (invalid.length > 0) {
    const [first] = invalid;
    const problems = counted(invalid.length, 'problem', 'problems');
    throw new CliError(
      EXIT.INVALID_ROWS,
      `The file has ${problems}, the first one in row ${first?.row}: ${first?.message}`,
      'invalid_rows',
    );
  }
  // Rules may name other sources.
  const entries = statement.entries.filter((read) => read.source?.id === source.id);
  const days = daysOf(entries);
  const [from, to] = [options.from ?? days.from, options.to ?? days.to];
  const isInPeriod = ({ date }: { date: string }) =>
    (from === undefined || date >= from) && (to === undefined || date <= to);
  const inFile = entries.filter(({ entry }) => isInPeriod(entry));
  const books = await booksOf(ledger, [source], options);
  const result = compare(inFile, books, source, isInPeriod);
  const inLedger = [...books.byId.values()].map(({ stored }) => stored).filter(isInPeriod);
  output.result(result, reconciliationLines(result, inFile, inLedger));
  const isEqual = [result.missingInLedger, result.missingInFile, result.different].every(
    ({ length }) => length === 0,
  );
  return isEqual ? EXIT.OK : EXIT.DIFFERENT;
}

/** An entry is matched by its id or reference; a stored entry without a reference, by its content. */
export function compare(
  entries: readonly ReadEntry[],
  books: Books,
  source: Pick<Source, 'id'>,
  isInPeriod: (entry: Transaction) => boolean,
): Reconciliation {
  const all = [...books.byId.values()].map(({ stored }) => stored);
  const byContent = new Map<string, Transaction[]>();
  for (const each of all) {
    if (each.externalRef === null) {
      const content = contentOf(each);
      byContent.set(content, [...(byContent.get(content) ?? []), each]);
    }
  }
  const found = new Set<string>();
  const result: Reconciliation = { matched: 0, missingInLedger: [], missingInFile: [], different: [] };
  compareWithBooks(entries, books, source).rows.forEach(({ stored }, index) => {
    const read = entries[index] as ReadEntry;
    const candidates = [stored, byContent.get(contentOf(read.entry))?.find(({ id }) => !found.has(id))];
    const match = candidates.find((each) => each !== undefined && !found.has(each.id));
    if (!match) {
      result.missingInLedger.push({ ...read.entry, row: read.row });
      return;
    }
    found.add(match.id);
    const fields = differences(read, match);
    if (fields.length === 0) result.matched++;
    else result.different.push({ row: read.row, id: match.id, fields });
  });
  result.missingInFile = all.filter((each) => isInPeriod(each) && !found.has(each.id));
  return result;
}

const contentOf = ({ date, type, amountPence, description }: NewTransaction | Transaction) =>
  JSON.stringify([date, type, amountPence, description ?? '']);

function reconciliationLines(
  { matched, missingInLedger, missingInFile, different }: Reconciliation,
  inFile: readonly ReadEntry[],
  inLedger: readonly Transaction[],
): string[] {
  const shown = ({ date, type, amountPence, description }: NewTransaction | Transaction) => ({
    date,
    type,
    amount: pounds(amountPence),
    description: startOf(description ?? ''),
  });
  const lines = [`${counted(matched, 'entry matches', 'entries match')}.`];
  const add = (title: string, rows: Parameters<typeof table>[0]) => {
    if (rows.length > 0) lines.push('', `${title}: ${rows.length}`, ...table(rows));
  };
  add(
    'In the file only',
    missingInLedger.map((each) => ({ row: each.row, ...shown(each) })),
  );
  add(
    'In the ledger only',
    missingInFile.map((each) => ({ ...shown(each), id: each.id })),
  );
  add(
    'Different',
    different.map(({ row, id, fields }) => ({ row, fields: fields.join(', '), id })),
  );
  const months = totalsByMonth(
    inFile.map(({ entry }) => entry),
    inLedger,
  );
  if (months.length > 0) lines.push('', 'Totals by month', ...table(months));
  return lines;
}

function totalsByMonth(inFile: readonly NewTransaction[], inLedger: readonly Transaction[]) {
  const [file, ledger] = [netByMonth(inFile), netByMonth(inLedger)];
  return [...new Set([...file.keys(), ...ledger.keys()])].sort().map((month) => {
    const [ofFile, ofLedger] = [file.get(month) ?? 0n, ledger.get(month) ?? 0n];
    return { month, file: pounds(ofFile), ledger: pounds(ofLedger), difference: pounds(ofFile - ofLedger) };
  });
}

function netByMonth(entries: readonly (NewTransaction | Transaction)[]): Map<string, bigint> {
  const sums = totalsBy('month');
  for (const entry of entries) sums.add(entry);
  return new Map(sums.groups().map(([month, totals]) => [month ?? '', netOf(totals)]));
}
