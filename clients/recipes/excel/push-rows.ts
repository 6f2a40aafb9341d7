// SPDX-License-Identifier: Apache-2.0
/**
 * Office Script for Excel: pushes the selected rows to a source of the Bookkeeping Ledger API, and writes the id and the status of each
 * entry back. Before a row is sent, it gets a reference in the sheet. So a push that broke off can be repeated, and creates nothing twice.
 * Row 1 has the names of the columns: Date, Amount, Type, and optionally Category, Description, Reference, Ledger id, Ledger status.
 * Each row says in Type whether it is income or expense. An amount has no sign: a minus may be money out or money back.
 * A column whose name begins with "Note" is not read, and any other one is refused.
 * @param serviceAddress of the API, such as https://ledger.example
 * @param apiKey is not stored
 * @param source its name or id
 */
// biome-ignore lint/correctness/noUnusedVariables: Excel calls it.
async function main(workbook: ExcelScript.Workbook, serviceAddress: string, apiKey: string, source: string) {
  const address = serviceAddress.trim().replace(/(\/api\/v1)?\/*$/, '');
  if (!/^https:\/\/[^/@]+$/.test(address)) throw new Error('The address must be https:// and a host name.');
  if (!/^[\x21-\x7e]+$/.test(apiKey.trim())) throw new Error('The key must be one word.');
  const service: Service = { address, key: apiKey.trim() };
  const sheet = workbook.getActiveWorksheet();
  const columns = findColumns(sheet);
  const rows = rowsToPush(sheet, columns, giveReferences(sheet, columns, selectedRows(workbook, sheet)));
  if (rows.length === 0) throw new Error('Select rows below row 1 that have a date or an amount.');
  const path = `/sources/${await findSource(service, source.trim())}/transactions`;

  const outcomes = new Map<string, Outcome>();
  for (const { reference, problem } of rows)
    if (problem) outcomes.set(reference, { status: `Not sent: ${problem}` });
  writeBack(sheet, columns, outcomes);
  let waiting = rows.filter((row) => row.problem === '');
  let size = 500;
  let stop = '';
  while (waiting.length > 0 && stop === '') {
    const batch = waiting.slice(0, size);
    const entries = batch.map((row) => row.entry);
    const { result, error } = await request(service, path, entries);
    const news = result ? outcomesOf(batch, result) : refusedRows(batch, error);
    // At the daily cap, the rows before the first one that does not fit are sent alone.
    const index = error?.index ?? 0;
    size = index > 0 && index < batch.length ? index : 500;
    if (news.size === 0 && size !== index) stop = error ? error.message : 'The response lacks the entries.';
    news.forEach((outcome, reference) => void outcomes.set(reference, outcome));
    writeBack(sheet, columns, news);
    waiting = waiting.filter((row) => !news.has(row.reference));
  }
  const unconfirmed: Outcome = { status: 'Not confirmed: push again' };
  writeBack(sheet, columns, new Map(waiting.map(({ reference }) => [reference, unconfirmed])));
  console.log(summary(outcomes, waiting.length, stop));
}

type Cell = string | number | boolean;
type Service = { address: string; key: string };
/** The position of each column in a row; -1 if it is missing. */
type Columns = Record<string, number>;
type Entry = Record<string, string | number | undefined>;
/** Row 1 of the sheet has the index 0. A row has an entry or a problem. */
type Row = { index: number; reference: string; entry?: Entry; problem: string };
type Outcome = { id?: string; status: string };
interface ApiError {
  message: string;
  code?: string;
  index?: number;
  issues?: { path: string; message: string }[];
  validCategories?: string[];
}
/** The members of all responses that this script reads. */
interface ApiResult {
  sources?: { id: string; name: string }[];
  transactions?: { id: string; externalRef: string }[];
  existing?: { id: string; externalRef: string }[];
  conflicts?: { index: number; id: string; fields: string[] }[];
  error?: ApiError;
}

function findColumns(sheet: ExcelScript.Worksheet): Columns {
  const rows = readRows(sheet, -1).map(({ cells }) => cells.map((cell) => String(cell).trim()));
  const header = (rows[0] ?? []).map((name) => name.toLowerCase());
  const names = 'Date,Amount,Type,Category,Description,Reference,Ledger id,Ledger status'.split(',');
  const isKnown = (name: string) => /^note/.test(name) || names.some((each) => each.toLowerCase() === name);
  // Another column may change the meaning of the amount: a currency, money in or out, a payment that failed.
  const other = header.findIndex((name, index) => !isKnown(name) && rows.some((row) => row[index]));
  const advice = 'is not known: remove it, or let its name begin with "Note".';
  if (other >= 0) throw new Error(`Column ${other + 1} "${header[other]}" ${advice}`);
  const columns: Columns = {};
  for (const name of names) {
    const key = name.toLowerCase();
    if (header.indexOf(key) !== header.lastIndexOf(key)) throw new Error(`Two columns are called ${name}.`);
    const isMissing = !header.includes(key);
    if (isMissing && /Date|Amount|Type/.test(name)) throw new Error(`Row 1 must name a column ${name}.`);
    const isOwn = isMissing && /^(Reference|Ledger)/.test(name);
    columns[name] = isOwn ? header.push(key) - 1 : header.indexOf(key);
    if (isOwn) sheet.getRangeByIndexes(0, columns[name], 1, 1).setValue(name);
  }
  return columns;
}

/** The used rows from row 1 on. @param reference the position of that column, or -1 */
function readRows(sheet: ExcelScript.Worksheet, reference: number) {
  const used = sheet.getUsedRange(true);
  if (!used) return [];
  const height = used.getRowIndex() + used.getRowCount();
  const width = used.getColumnIndex() + used.getColumnCount();
  const values = sheet.getRangeByIndexes(0, 0, height, width).getValues();
  return values.map((cells, index) => ({ index, cells, reference: String(cells[reference] ?? '').trim() }));
}

/** Without row 1 and without hidden rows. */
function selectedRows(workbook: ExcelScript.Workbook, sheet: ExcelScript.Worksheet): Set<number> {
  const rows = new Set<number>();
  for (const area of workbook.getSelectedRanges().getAreas()) {
    const last = Math.min(area.getRowIndex() + area.getRowCount(), readRows(sheet, -1).length);
    // Neither true nor false if only some rows are hidden.
    const isShown = area.getRowHidden() === false;
    for (let index = Math.max(area.getRowIndex(), 1); index < last; index++) {
      if (isShown || !sheet.getRangeByIndexes(index, 0, 1, 1).getRowHidden()) rows.add(index);
    }
  }
  return rows;
}

/** Writes a reference into each of the rows that lacks one. @returns the references of the rows */
function giveReferences(sheet: ExcelScript.Worksheet, columns: Columns, rows: Set<number>): Set<string> {
  const references = new Set<string>();
  const randomText = () => Math.random().toString(36).slice(2);
  for (const { index, cells, reference } of readRows(sheet, columns.Reference)) {
    if (!rows.has(index) || (cells[columns.Date] === '' && cells[columns.Amount] === '')) continue;
    const own = reference || `xl-${Date.now().toString(36)}-${randomText()}${randomText()}`;
    if (!reference) sheet.getRangeByIndexes(index, columns.Reference, 1, 1).setValue(own);
    references.add(own);
  }
  return references;
}

/** Reads the rows with these references again, which also makes Excel carry out what was written. */
function rowsToPush(sheet: ExcelScript.Worksheet, columns: Columns, references: Set<string>): Row[] {
  const rows = new Map<string, Row>();
  const all = readRows(sheet, columns.Reference);
  const dates = sheet.getRangeByIndexes(0, columns.Date, all.length, 1);
  const [formats, shown] = [dates.getNumberFormats(), dates.getTexts()];
  const currencies = sheet.getRangeByIndexes(0, columns.Amount, all.length, 1).getNumberFormats();
  const textDate = all.find(({ cells }) => /^\s*\d{1,2}\D\d{1,2}\D\d/.test(String(cells[columns.Date])));
  for (const { index, cells, reference } of all) {
    if (!references.has(reference)) continue;
    const first = rows.get(reference);
    if (first) {
      first.problem = `rows ${first.index + 1} and ${index + 1} have the same reference. If one of them is a copy, clear its Reference`;
      continue;
    }
    const row: Row = { index, reference, problem: '' };
    rows.set(reference, row);
    try {
      // A spreadsheet that expects the month first turns some texts into dates, and keeps the others.
      const date = dateOf(cells[columns.Date], formats[index][0], shown[index][0]);
      if (textDate && typeof cells[columns.Date] === 'number' && Number(date.slice(8)) <= 12)
        throw new Error(`day and month may be exchanged: the Date of row ${textDate.index + 1} is a text`);
      // `[$£-809]#,##0.00` is in pounds, and `[$-809]` a language.
      const currency = currencies[index][0].replace(/\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]/g, '$1');
      if (/[€$¥]|(?!GBP)[A-Z]{3}/.test(currency)) throw new Error('the Amount is formatted as no pounds');
      row.entry = { date, externalRef: reference, ...contentOf(cells, columns) };
    } catch (error) {
      row.problem = (error as Error).message;
    }
  }
  return Array.from(rows.values());
}

/** @throws Error that names the problem of the row */
function contentOf(cells: Cell[], columns: Columns): Entry {
  const text = (column: number): string => String(cells[column] ?? '').trim();
  const pence = penceOf(cells[columns.Amount]);
  const type = text(columns.Type).toLowerCase();
  if (!/^(income|expense)$/.test(type)) throw new Error('Type must be income or expense');
  const description = text(columns.Description);
  if (Array.from(description).length > 500) throw new Error('the description is longer than 500 characters');
  const noPayment =
    /^(grand |sub-?)?totals?(:?$|:? (for|of|in|out|income|rents?|expenses?|[0-9q]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|\b(opening|closing|starting|ending) balance\b|\bbalance (brought|carried|[bc]\/)/i;
  if (noPayment.test(description)) throw new Error('this seems to be a total or a balance');
  const category = text(columns.Category) || undefined;
  return { type, amountPence: pence, category, description: description || undefined };
}

/** Excel counts days from 1900 and has a day too many in that year: 25569 is 1970-01-01. @param shown the text that a person sees */
function dateOf(cell: Cell, format: string, shown: string): string {
  let date = String(cell).trim();
  const isDate = /[dmy]/i.test(format.replace(/\[[^\]]*\]|"[^"]*"|\\./g, ''));
  if (typeof cell === 'number' && isDate && cell >= 61 && cell < 2958466) {
    // A computed midnight may lack a fraction of a second.
    date = new Date(Math.round((cell - 25569) * 86400) * 1000).toISOString().slice(0, 10);
    // A workbook may count from 1904.
    const [year = ''] = /\d{4}/.exec(shown) ?? [];
    if (!date.startsWith(year)) throw new Error(`the date ${date} is shown as ${shown}`);
  } else if (typeof cell !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date))
    throw new Error(`"${date}" is not a date: format the cell as a date, or write it as 2026-04-06`);
  const last = new Date(Date.now() + 7 * 86400000).toISOString().slice(0, 10);
  if (date < '2000' || date > last) throw new Error(`${date} is before 2000 or more than a week ahead`);
  return date;
}

/** Whole pence of an amount in pounds, from its decimal digits: 0.1 + 0.2 is 30, and 1.005 is refused. */
function penceOf(cell: Cell): number {
  // Excel keeps 15 digits of a number.
  const text = String(typeof cell === 'number' ? Number(cell.toPrecision(15)) : cell).trim();
  if (typeof cell === 'number' && Math.abs(cell) >= 1e13) throw new Error(`${text} is too large`);
  const match = /^£?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text);
  const [, pounds = '', decimals = ''] = match ?? [];
  if (!pounds) throw new Error(`"${text}" is not an amount in pounds without a sign`);
  if (decimals.length > 2) throw new Error(`${text} has more than two decimals: round it`);
  const pence = Number(pounds.replace(/,/g, '') + decimals.padEnd(2, '0'));
  if (pence === 0) throw new Error('the amount is zero');
  if (pence > Number.MAX_SAFE_INTEGER) throw new Error(`${text} is too large`);
  return pence;
}

function outcomesOf(batch: Row[], result: ApiResult): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const { id, externalRef } of result.transactions ?? [])
    outcomes.set(externalRef, { id, status: 'Created' });
  for (const { id, externalRef } of result.existing ?? [])
    outcomes.set(externalRef, { id, status: 'Already in the books' });
  for (const { index, id, fields } of result.conflicts ?? []) {
    const status = `Conflict: the books have another ${fields.join(', ')}`;
    outcomes.set(batch[index].reference, { id, status });
  }
  return outcomes;
}

/** The rows of a refused batch that the API names in its issues. No entry of the batch was created. */
function refusedRows(batch: Row[], error: ApiError | undefined): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const accepted = error?.validCategories;
  for (const { path, message } of error?.issues ?? []) {
    const match = /^\/(\d+)\/?(.*)$/.exec(path);
    if (!match) continue;
    const { reference } = batch[Number(match[1])];
    const before = outcomes.get(reference);
    const text = `${match[2]} ${message}${accepted ? `. Accepted: ${accepted.join(', ')}` : ''}`;
    outcomes.set(reference, { status: before ? `${before.status}; ${text}` : `Not sent: ${text}` });
  }
  return outcomes;
}

/** Finds the rows by their reference, because a person may have moved them. */
function writeBack(sheet: ExcelScript.Worksheet, columns: Columns, outcomes: Map<string, Outcome>): void {
  if (outcomes.size === 0) return;
  for (const { index, reference } of readRows(sheet, columns.Reference)) {
    const outcome = outcomes.get(reference);
    if (!outcome) continue;
    sheet.getRangeByIndexes(index, columns['Ledger status'], 1, 1).setValue(outcome.status);
    if (outcome.id) sheet.getRangeByIndexes(index, columns['Ledger id'], 1, 1).setValue(outcome.id);
  }
}

function summary(outcomes: Map<string, Outcome>, left: number, stop: string): string {
  const statuses = Array.from(outcomes.values()).map((outcome) => outcome.status);
  const count = (start: string): number => statuses.filter((status) => status.startsWith(start)).length;
  const done = `${count('Created')} created, ${count('Already')} already in the books, ${count('Conflict')} in conflict, ${count('Not sent')} with problems.`;
  return left === 0
    ? done
    : `${done} ${left} rows are not confirmed: ${stop} Push them again later: nothing is created twice.`;
}

async function findSource(service: Service, wanted: string): Promise<string> {
  const { result, error } = await request(service, '/sources');
  if (!result) throw new Error(error?.message);
  const sources = result.sources ?? [];
  const matches = sources.filter(({ id, name }) => id === wanted || name === wanted);
  if (matches.length === 1) return matches[0].id;
  const list = sources.map(({ id, name }) => `${name} (${id})`).join(', ');
  throw new Error(`Name one of these sources, or its id: ${list}`);
}

/** One request, sent again after 429, 5xx and broken connections: every entry has a reference, so this creates nothing twice. */
async function request(
  service: Service,
  path: string,
  entries?: (Entry | undefined)[],
): Promise<{ result?: ApiResult; error?: ApiError }> {
  for (let failures = 0; ; ) {
    // `redirect`: a redirect would send the key to another host.
    const response = await fetch(`${service.address}/api/v1${path}`, {
      method: entries ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      body: entries ? JSON.stringify(entries) : undefined,
      redirect: 'error',
    }).catch(() => undefined);
    const body: ApiResult | undefined = response ? await response.json().catch(() => undefined) : undefined;
    if (response?.ok && body) return { result: body };
    const isLimited = body?.error?.code === 'rate_limited';
    const mayPass = !response || response.status === 408 || response.status >= 500 || isLimited;
    const wanted = Number(response?.headers.get('Retry-After')) || 0;
    const pauseS = Math.max(wanted, isLimited ? 1 : 2 ** failures);
    if (!isLimited) failures++;
    if (!mayPass || failures > 5) {
      const unreachable = 'The service cannot be reached, or CORS_ORIGINS lacks the origin of this script.';
      const unusual = `The response with status ${response?.status} is not one of the API: check the address.`;
      return { error: body?.error ?? { message: response ? unusual : unreachable } };
    }
    await new Promise((resolve) => setTimeout(resolve, pauseS * 1000));
  }
}
