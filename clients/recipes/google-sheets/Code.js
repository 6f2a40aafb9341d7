// SPDX-License-Identifier: Apache-2.0
/**
 * Google Sheets: pushes the selected rows to a source of the Bookkeeping Ledger API, and writes the id and the status of each entry back.
 * Before a row is sent, it gets a reference in the sheet. So a push that broke off can be repeated, and creates nothing twice.
 *
 * @OnlyCurrentDoc
 */

/**
 * The names of the columns, in row 1. The last three are added to a sheet that lacks them. Each row says in Type whether it is income or
 * expense. An amount has no sign: a minus may be money out or money back.
 */
const COLUMNS = {
  date: 'Date',
  amount: 'Amount',
  type: 'Type',
  category: 'Category',
  description: 'Description',
  reference: 'Reference',
  id: 'Ledger id',
  status: 'Ledger status',
};
const ENTRIES_MAX = 500;
const DESCRIPTION_MAX = 500;
/** Google ends a script after 6 minutes. The last request may take one. */
const RUN_MS_MAX = 4.5 * 60 * 1000;
const FAILURES_MAX = 5;
/** Descriptions of rows that are no payment. */
const NO_PAYMENT =
  /^(grand |sub-?)?totals?(:?$|:? (for|of|in|out|income|rents?|expenses?|[0-9q]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|\b(opening|closing|starting|ending) balance\b|\bbalance (brought|carried|[bc]\/)/i;

// biome-ignore-start lint/correctness/noUnusedVariables: Google calls these functions, by the menu.
function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Ledger')
    .addItem('Push the selected rows', 'pushSelectedRows')
    .addSeparator()
    .addItem('Choose the source of this sheet…', 'chooseSource')
    .addItem('Set address and key…', 'setConnection')
    .addItem('Forget the key', 'forgetConnection')
    .addToUi();
}

function pushSelectedRows() {
  // Two runs at a time would give one row two references.
  const lock = LockService.getDocumentLock();
  if (!lock.tryLock(1000))
    return show('Another push is running in this spreadsheet. Wait until it has ended.');
  let message;
  try {
    message = push(SpreadsheetApp.getActiveSheet(), Date.now() + RUN_MS_MAX);
  } catch (error) {
    message = error.message;
  } finally {
    SpreadsheetApp.flush();
    lock.releaseLock();
  }
  show(message);
}

function chooseSource() {
  report(() => {
    const { sources } = request(connection(), Date.now() + RUN_MS_MAX, '/sources');
    const list = sources.map(({ name, type }, index) => `${index + 1}. ${name} (${type})`);
    const answer = prompt(`Number of the source that this sheet belongs to:\n\n${list.join('\n')}`);
    if (answer === undefined) return undefined;
    const source = sources[Number(answer) - 1];
    if (!source) throw new Error(`There is no source with the number ${answer}.`);
    const property = sourceProperty(SpreadsheetApp.getActiveSheet());
    PropertiesService.getDocumentProperties().setProperty(property, source.id);
    return `The rows of this sheet go to ${source.name}.`;
  });
}

function setConnection() {
  report(() => {
    const url = prompt('Address of the service, such as https://ledger.example')?.replace(
      /(\/api\/v1)?\/*$/,
      '',
    );
    if (url === undefined) return undefined;
    if (!/^https:\/\/[^/@]+$/.test(url)) throw new Error('The address must be https:// and a host name.');
    const key = prompt('API key');
    if (key === undefined) return undefined;
    if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('The key must be one word.');
    const { plan } = request({ url, key }, Date.now() + RUN_MS_MAX, '/me');
    // Of this user and this script: other people with access to the sheet do not see them.
    PropertiesService.getUserProperties().setProperties({ LEDGER_URL: url, LEDGER_API_KEY: key });
    return `The key works. The plan of the account is ${plan}.`;
  });
}

function forgetConnection() {
  PropertiesService.getUserProperties().deleteProperty('LEDGER_API_KEY');
}
// biome-ignore-end lint/correctness/noUnusedVariables: see above

/** @returns a sentence with the result */
function push(sheet, deadline) {
  const source = PropertiesService.getDocumentProperties().getProperty(sourceProperty(sheet));
  if (!source) throw new Error('Choose the source of this sheet first: menu Ledger.');
  const ledger = connection();
  const columns = findColumns(sheet);
  const rows = rowsToPush(sheet, columns, giveReferences(sheet, columns, selectedRows(sheet)));
  if (rows.length === 0) return 'Select rows with a date or an amount. Row 1 has the names of the columns.';

  const outcomes = new Map(
    rows.flatMap((row) => (row.problem ? [[row.reference, { status: `Not sent: ${row.problem}` }]] : [])),
  );
  writeBack(sheet, columns, outcomes);
  let waiting = rows.filter(({ problem }) => !problem);
  let size = ENTRIES_MAX;
  let stop = '';
  while (waiting.length > 0 && !stop) {
    const batch = waiting.slice(0, size);
    size = ENTRIES_MAX;
    let news;
    try {
      const entries = batch.map(({ entry }) => entry);
      news = outcomesOf(batch, request(ledger, deadline, `/sources/${source}/transactions`, entries));
    } catch (error) {
      news = refusedRows(batch, error);
      // At the daily cap, the rows before the first one that does not fit are sent alone.
      if (error.index > 0 && error.index < batch.length) size = error.index;
      else if (news.size === 0) stop = error.message;
    }
    for (const [reference, outcome] of news) outcomes.set(reference, outcome);
    writeBack(sheet, columns, news);
    waiting = waiting.filter(({ reference }) => !news.has(reference));
    if (Date.now() > deadline) stop = stop || 'The time of one run is over.';
  }
  const unconfirmed = { status: 'Not confirmed: push again' };
  writeBack(sheet, columns, new Map(waiting.map(({ reference }) => [reference, unconfirmed])));
  return summary([...outcomes.values()], waiting.length, stop);
}

/** @returns the column number of each name; adds the script's own columns */
function findColumns(sheet) {
  const rows = sheet.getRange(1, 1, Math.max(sheet.getLastRow(), 1), Math.max(sheet.getLastColumn(), 1));
  const values = rows.getValues();
  const header = values[0];
  const names = header.map((name) => String(name).trim().toLowerCase());
  const known = Object.values(COLUMNS).map((name) => name.toLowerCase());
  // Another column may change the meaning of the amount: a currency, money in or out, a payment that failed.
  names.forEach((name, index) => {
    if (known.includes(name) || name.startsWith('note')) return;
    if (values.every((cells) => String(cells[index]).trim() === '')) return;
    const shown = name === '' ? `Column ${index + 1} without a name` : `The column "${header[index]}"`;
    throw new Error(`${shown} is not known: remove it, or let its name begin with "Note".`);
  });
  const columns = {};
  for (const [field, name] of Object.entries(COLUMNS)) {
    const matches = names.flatMap((each, index) => (each === name.toLowerCase() ? [index + 1] : []));
    if (matches.length > 1) throw new Error(`Two columns are called ${name}.`);
    columns[field] = matches[0];
  }
  for (const field of ['date', 'amount', 'type']) {
    if (!columns[field]) throw new Error(`Row 1 must name a column ${COLUMNS[field]}.`);
  }
  let last = header.length;
  for (const field of ['reference', 'id', 'status']) {
    if (columns[field]) continue;
    columns[field] = ++last;
    if (last > sheet.getMaxColumns()) sheet.insertColumnAfter(last - 1);
    sheet.getRange(1, last).setValue(COLUMNS[field]);
  }
  return columns;
}

/** The numbers of the selected rows, without row 1 and without rows that are hidden, by a filter or by hand. */
function selectedRows(sheet) {
  const rows = new Set();
  const isFiltered = sheet.getFilter() !== null;
  for (const range of sheet.getActiveRangeList()?.getRanges() ?? []) {
    const last = Math.min(range.getLastRow(), sheet.getLastRow());
    for (let row = Math.max(range.getRow(), 2); row <= last; row++) {
      const isHidden = sheet.isRowHiddenByUser(row) || (isFiltered && sheet.isRowHiddenByFilter(row));
      if (!isHidden) rows.add(row);
    }
  }
  return rows;
}

/** Writes a reference into each of the rows that lacks one. @returns the references of the rows */
function giveReferences(sheet, columns, rows) {
  const references = new Set();
  for (const { row, cell, reference } of readRows(sheet, columns)) {
    if (!rows.has(row) || (cell('date') === '' && cell('amount') === '')) continue;
    const own = reference || `gs-${Utilities.getUuid()}`;
    if (!reference) sheet.getRange(row, columns.reference).setValue(own);
    references.add(own);
  }
  // The references are saved before anything is sent.
  SpreadsheetApp.flush();
  return references;
}

/** The rows with these references, as they are now: a person may have sorted the sheet. Each has an entry or a problem. */
function rowsToPush(sheet, columns, references) {
  const timeZone = SpreadsheetApp.getActive().getSpreadsheetTimeZone();
  const rows = new Map();
  const all = readRows(sheet, columns);
  const formats = sheet.getRange(1, columns.amount, all.length + 1, 1).getNumberFormats();
  const textDate = all.find(({ cell }) => /^\d{1,2}\D\d{1,2}\D\d/.test(textOf(cell('date'), timeZone)));
  for (const { row, cell, reference } of all) {
    if (!references.has(reference)) continue;
    const first = rows.get(reference);
    if (first) {
      first.problem = `rows ${first.row} and ${row} have the same reference. If one of them is a copy, clear its Reference`;
      continue;
    }
    try {
      if (isForeign(formats[row - 1][0])) throw new Error('the amount has the format of another currency');
      const entry = entryOf(cell, reference, timeZone);
      // A spreadsheet that expects the month first turns some texts into dates, and keeps the others.
      if (textDate && isDate(cell('date')) && Number(entry.date.slice(8)) <= 12)
        throw new Error(`day and month may be exchanged: the date of row ${textDate.row} is a text`);
      rows.set(reference, { row, reference, entry });
    } catch (error) {
      rows.set(reference, { row, reference, problem: error.message });
    }
  }
  return [...rows.values()];
}

function readRows(sheet, columns) {
  const count = sheet.getLastRow() - 1;
  if (count < 1) return [];
  const timeZone = SpreadsheetApp.getActive().getSpreadsheetTimeZone();
  const values = sheet.getRange(2, 1, count, sheet.getLastColumn()).getValues();
  return values.map((cells, index) => {
    const cell = (field) => (columns[field] ? (cells[columns[field] - 1] ?? '') : '');
    return { row: index + 2, cell, reference: textOf(cell('reference'), timeZone) };
  });
}

/** @throws Error that names the problem of the row */
function entryOf(cell, externalRef, timeZone) {
  const pence = penceOf(cell('amount'));
  const type = textOf(cell('type'), timeZone).toLowerCase();
  if (type !== 'income' && type !== 'expense') throw new Error('Type must be income or expense');
  const description = textOf(cell('description'), timeZone);
  if ([...description].length > DESCRIPTION_MAX)
    throw new Error(`the description is longer than ${DESCRIPTION_MAX} characters`);
  if (NO_PAYMENT.test(description)) throw new Error('this seems to be a total or a balance');
  const category = textOf(cell('category'), timeZone);
  return {
    date: dateOf(cell('date'), timeZone),
    type,
    amountPence: pence,
    externalRef,
    ...(category && { category }),
    ...(description && { description }),
  };
}

function isDate(cell) {
  return Object.prototype.toString.call(cell) === '[object Date]';
}

/** A computed midnight may lack a fraction of a second. */
function textOf(cell, timeZone) {
  if (!isDate(cell)) return String(cell).trim();
  return Utilities.formatDate(new Date(cell.getTime() + 500), timeZone, 'yyyy-MM-dd');
}

/** `[$£-809]#,##0.00` is in pounds, and `[$-809]` a language. */
function isForeign(format) {
  return /[€$¥]|(?!GBP)[A-Z]{3}/.test(format.replace(/\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]/g, '$1'));
}

/** A date of Sheets is midnight in the time zone of the spreadsheet, which may be another day in UTC. */
function dateOf(cell, timeZone) {
  const text = textOf(cell, timeZone);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text))
    throw new Error(
      `"${text}" is not a date of Sheets: choose Format > Number > Date, or write it as 2026-04-06`,
    );
  const last = new Date(Date.now() + 7 * 86400000).toISOString().slice(0, 10);
  if (text < '2000' || text > last)
    throw new Error(`the date ${text} is before 2000 or more than a week ahead`);
  return text;
}

/** Whole pence of an amount in pounds, from its decimal digits: 0.1 + 0.2 is 30, and 1.005 is refused. */
function penceOf(cell) {
  let text = String(cell).trim();
  if (typeof cell === 'number') {
    // Sheets keeps 15 digits of a number.
    if (Math.abs(cell) >= 1e13) throw new Error(`${text} is too large for exact pence`);
    text = String(Number(cell.toPrecision(15)));
  }
  const [, pounds, pence = ''] = /^£?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (!pounds) throw new Error(`"${text}" is not an amount in pounds without a sign`);
  if (pence.length > 2) throw new Error(`${text} has more than two decimals: round it`);
  const amount = Number(pounds.replace(/,/g, '') + pence.padEnd(2, '0'));
  if (amount === 0) throw new Error('the amount is zero');
  if (!Number.isSafeInteger(amount)) throw new Error(`${text} is too large`);
  return amount;
}

/** @returns id and status by reference, from the response to a batch */
function outcomesOf(batch, { transactions, existing, conflicts = [] }) {
  const outcomes = new Map();
  for (const { id, externalRef } of transactions) outcomes.set(externalRef, { id, status: 'Created' });
  for (const { id, externalRef } of existing)
    outcomes.set(externalRef, { id, status: 'Already in the books' });
  for (const { index, id, fields } of conflicts) {
    const status = `Conflict: the books have another ${fields.join(', ')}`;
    outcomes.set(batch[index].reference, { id, status });
  }
  return outcomes;
}

/** The rows of a refused batch that the API names in its issues. No entry of the batch was created. */
function refusedRows(batch, { issues = [], validCategories }) {
  const outcomes = new Map();
  for (const { path, message } of issues) {
    const [, index, field] = /^\/(\d+)\/?(.*)$/.exec(path) ?? [];
    if (!batch[index]) continue;
    const { reference } = batch[index];
    const text = `${field} ${message}${validCategories ? `. Accepted: ${validCategories.join(', ')}` : ''}`;
    const before = outcomes.get(reference);
    outcomes.set(reference, { status: before ? `${before.status}; ${text}` : `Not sent: ${text}` });
  }
  return outcomes;
}

/** Finds the rows by their reference, because a person may have moved them, and writes neighbours in one call. */
function writeBack(sheet, columns, outcomes) {
  if (outcomes.size === 0) return;
  const rows = readRows(sheet, columns).filter(({ reference }) => outcomes.has(reference));
  const write = (field, wanted) => {
    for (let start = 0, end = 0; start < wanted.length; start = end) {
      while (end < wanted.length && wanted[end].row === wanted[start].row + end - start) end++;
      const values = wanted.slice(start, end).map(({ reference }) => [outcomes.get(reference)[field]]);
      sheet.getRange(wanted[start].row, columns[field], end - start, 1).setValues(values);
    }
  };
  write('status', rows);
  const withId = rows.filter(({ reference }) => outcomes.get(reference).id);
  write('id', withId);
  SpreadsheetApp.flush();
}

function summary(outcomes, left, stop) {
  const count = (start) => outcomes.filter(({ status }) => status.startsWith(start)).length;
  const done = `${count('Created')} created, ${count('Already')} already in the books, ${count('Conflict')} in conflict, ${count('Not sent')} with problems.`;
  if (left === 0) return done;
  return `${done}\n\n${left} rows are not confirmed: ${stop} Push them again later: nothing is created twice.`;
}

/**
 * One request, sent again after 429, 5xx and broken connections: every entry has a reference, so this creates nothing twice.
 * @throws Error with the API's message, and its `index`, `issues` and `validCategories`
 */
function request({ url, key }, deadline, path, body) {
  const options = {
    headers: { Authorization: `Bearer ${key}` },
    muteHttpExceptions: true,
    // A redirect would send the key to another host.
    followRedirects: false,
    ...(body && { method: 'post', contentType: 'application/json', payload: JSON.stringify(body) }),
  };
  let failures = 0;
  for (;;) {
    const { status, result, retryAfterS } = fetchOnce(`${url}/api/v1${path}`, options);
    if (status === 200 || status === 201) return result;
    const { error } = result;
    const isLimited = error.code === 'rate_limited';
    const mayPass = isLimited || status === 0 || status === 408 || status >= 500;
    const pauseMs = Math.max(retryAfterS, isLimited ? 1 : 2 ** failures) * 1000;
    if (!isLimited) failures++;
    if (!mayPass || failures > FAILURES_MAX || Date.now() + pauseMs > deadline) {
      throw Object.assign(new Error(error.message), error);
    }
    Utilities.sleep(pauseMs);
  }
}

/** `status` is 0 without a response. */
function fetchOnce(url, options) {
  const failed = (status, message) => ({ status, retryAfterS: 0, result: { error: { message } } });
  let response;
  try {
    response = UrlFetchApp.fetch(url, options);
  } catch (error) {
    return failed(0, `The service cannot be reached: ${error.message}`);
  }
  const status = response.getResponseCode();
  try {
    const result = JSON.parse(response.getContentText());
    if (status !== 200 && status !== 201) String(result.error.message);
    const headers = Object.entries(response.getHeaders());
    const [, retryAfter] = headers.find(([name]) => name.toLowerCase() === 'retry-after') ?? [];
    return { status, result, retryAfterS: Number(retryAfter) || 0 };
  } catch {
    const message = `The response with status ${status} is not one of the API: check the address.`;
    return failed(status < 500 ? -1 : status, message);
  }
}

function connection() {
  const { LEDGER_URL: url, LEDGER_API_KEY: key } = PropertiesService.getUserProperties().getProperties();
  if (!url || !key) throw new Error('Set address and key first: menu Ledger.');
  return { url, key };
}

function sourceProperty(sheet) {
  return `source of sheet ${sheet.getSheetId()}`;
}

/** @returns undefined when the person cancels */
function prompt(question) {
  const ui = SpreadsheetApp.getUi();
  const response = ui.prompt('Ledger', question, ui.ButtonSet.OK_CANCEL);
  return response.getSelectedButton() === ui.Button.OK ? response.getResponseText().trim() : undefined;
}

function report(work) {
  try {
    const message = work();
    if (message !== undefined) show(message);
  } catch (error) {
    show(error.message);
  }
}

function show(message) {
  const ui = SpreadsheetApp.getUi();
  ui.alert('Ledger', message, ui.ButtonSet.OK);
}
