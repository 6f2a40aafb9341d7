/** `ledger reconcile`: compares a file with the stored entries of a source. */
import { pounds } from '../typescript/books/pounds.ts';
import { netOf, totalsBy } from '../typescript/books/totals.ts';
import type { ImportResult } from '../typescript/import/index.ts';
import type { NewTransaction, Transaction } from '../typescript/index.ts';
import { connect, findSource } from './context.ts';
import { CliError, EXIT, type ExitCode } from './exit.ts';
import { startOf, table } from './output.ts';
import { readFile, type StatementOptions } from './statement-options.ts';

export interface ReconcileOptions extends StatementOptions {
  from?: string;
  to?: string;
}

interface FileEntry extends NewTransaction {
  row: number;
}

export interface Comparison {
  matched: number;
  missingInLedger: FileEntry[];
  missingInFile: Transaction[];
  different: { row: number; id: string; fields: string[] }[];
}

/** Compares within --from and --to; by default, within the period of the file. Changes nothing. */
export async function reconcile(file: string, options: ReconcileOptions): Promise<ExitCode> {
  const { ledger, output } = connect(options);
  const source = await findSource(ledger, options.source);
  const statement = await readFile(file, await ledger.categories(source.type), options);
  const { invalid } = statement;
  if (invalid.length > 0) {
    const [first] = invalid;
    throw new CliError(
      EXIT.INVALID_ROWS,
      `${invalid.length} rows of the file are invalid, the first one is row ${first?.row}: ${first?.message}`,
      'invalid_rows',
    );
  }
  const fileEntries = statement.entries.map(({ row, entry }) => ({ ...entry, row }));
  const dates = fileEntries.map(({ date }) => date).sort();
  const [from, to] = [options.from ?? dates[0], options.to ?? dates.at(-1)];
  const isInPeriod = ({ date }: { date: string }) =>
    (from === undefined || date >= from) && (to === undefined || date <= to);
  const stored: Transaction[] = [];
  for await (const each of ledger.transactions(source.id)) stored.push(each);
  const comparison = compare(fileEntries.filter(isInPeriod), stored, isInPeriod, idsOf(statement));
  output.result(
    comparison,
    comparisonLines(comparison, fileEntries.filter(isInPeriod), stored.filter(isInPeriod)),
  );
  return EXIT.OK;
}

/** The ids in a file that `ledger pull` wrote, by row. */
function idsOf({ entries }: ImportResult): Map<number, string> {
  return new Map(entries.flatMap(({ row, id }) => (id === undefined ? [] : [[row, id] as const])));
}

/** An entry is matched by its id or reference; a stored entry without a reference, by its content. */
export function compare(
  fileEntries: readonly FileEntry[],
  stored: readonly Transaction[],
  isInPeriod: (entry: Transaction) => boolean,
  ids: ReadonlyMap<number, string>,
): Comparison {
  const byId = new Map(stored.map((each) => [each.id, each]));
  const byReference = new Map(
    stored.flatMap((each) => (each.externalRef === null ? [] : [[each.externalRef, each]])),
  );
  const byContent = new Map<string, Transaction[]>();
  for (const each of stored) {
    if (each.externalRef === null) {
      byContent.set(contentOf(each), [...(byContent.get(contentOf(each)) ?? []), each]);
    }
  }
  const found = new Set<string>();
  const result: Comparison = { matched: 0, missingInLedger: [], missingInFile: [], different: [] };
  for (const entry of fileEntries) {
    const candidates = [
      byId.get(ids.get(entry.row) ?? ''),
      byReference.get(entry.externalRef ?? ''),
      byContent.get(contentOf(entry))?.find(({ id }) => !found.has(id)),
    ];
    const match = candidates.find((each) => each !== undefined && !found.has(each.id));
    if (!match) {
      result.missingInLedger.push(entry);
      continue;
    }
    found.add(match.id);
    const fields = differingFields(entry, match);
    if (fields.length === 0) result.matched++;
    else result.different.push({ row: entry.row, id: match.id, fields });
  }
  result.missingInFile = stored.filter((each) => isInPeriod(each) && !found.has(each.id));
  return result;
}

const contentOf = ({ date, type, amountPence, description }: NewTransaction | Transaction) =>
  JSON.stringify([date, type, amountPence, description ?? null]);

/** A category that the file does not have is not compared: it may have been set later. */
function differingFields(entry: FileEntry, stored: Transaction): string[] {
  const fields = (['date', 'type', 'amountPence'] as const).filter(
    (name) => entry[name] !== stored[name],
  ) as string[];
  if ((entry.description ?? null) !== stored.description) fields.push('description');
  if (entry.category !== undefined && entry.category !== stored.category) fields.push('category');
  return fields;
}

function comparisonLines(
  { matched, missingInLedger, missingInFile, different }: Comparison,
  inFile: readonly FileEntry[],
  inLedger: readonly Transaction[],
): string[] {
  const shown = ({ date, type, amountPence, description }: NewTransaction | Transaction) => ({
    date,
    type,
    amount: pounds(amountPence),
    description: startOf(description ?? ''),
  });
  const lines = [`${matched} entries match.`];
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
  const months = totalsByMonth(inFile, inLedger);
  if (months.length > 0) lines.push('', 'Totals by month', ...table(months));
  return lines;
}

function totalsByMonth(inFile: readonly FileEntry[], inLedger: readonly Transaction[]) {
  const [file, ledger] = [netByMonth(inFile), netByMonth(inLedger)];
  return [...new Set([...file.keys(), ...ledger.keys()])].sort().map((month) => {
    const [ofFile, ofLedger] = [file.get(month) ?? 0n, ledger.get(month) ?? 0n];
    return { month, file: pounds(ofFile), ledger: pounds(ofLedger), difference: pounds(ofFile - ofLedger) };
  });
}

function netByMonth(entries: readonly (FileEntry | Transaction)[]): Map<string, bigint> {
  const sums = totalsBy('month');
  for (const entry of entries) sums.add(entry);
  return new Map(sums.groups().map(([month, totals]) => [month ?? '', netOf(totals)]));
}
