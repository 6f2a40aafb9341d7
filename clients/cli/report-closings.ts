/** The closing balances in a report: the CSV of a push or the JSON of a reconciliation. */

import { ownTable } from '../typescript/export/csv.ts';
import { OwnFileError } from '../typescript/export/own-file-error.ts';
import {
  type Closing,
  type Closings,
  isClosingBalance,
  withClosings,
} from '../typescript/import/chain/closings.ts';
import { exactText } from '../typescript/import/files/cells.ts';
import { CLOSING_COLUMNS, REPORT_COLUMNS } from '../typescript/push/push-report.ts';

const DAMAGED = 'is damaged: it is not as `ledger push` or `ledger reconcile` wrote it';
const OTHER_KIND = 'is not the report of a push (CSV) or of a reconciliation (JSON)';

/** @throws OwnFileError for a damaged report, another file, or one without a closing balance of a named account */
export function closingsOfReport(text: string): Closings {
  const ofFiles = /^\s*[{[]/.test(text) ? closingsOfReconciliation(text) : closingsOfPush(text);
  const closings = withClosings(new Map(), ofFiles);
  if (closings.size === 0) {
    throw new OwnFileError(
      'has no closing balances: no file that was pushed or reconciled names its account and has balances',
    );
  }
  return closings;
}

/** Reads the report of a push, whose columns have the closing balance of the statement of each row. */
function closingsOfPush(text: string): Closing[] {
  const table = ownTable(text, REPORT_COLUMNS, CLOSING_COLUMNS);
  if ('missing' in table) throw new OwnFileError(OTHER_KIND);
  if ('damagedLine' in table) throw new OwnFileError(DAMAGED);
  return table.records.flatMap(({ texts: { account, closingDate: date, closing } }) => {
    if (account === '' && date === '' && closing === '') return [];
    const pounds = exactText(closing);
    const pence = /^-?\d+\.\d\d$/.test(pounds) ? Number(pounds.replace('.', '')) : undefined;
    return closingInReport({ account: exactText(account), closing: { date, pence } });
  });
}

function closingsOfReconciliation(text: string): Closing[] {
  let document: { isReconciled?: unknown; files?: { balances: object[] }[] };
  try {
    document = JSON.parse(text);
  } catch {
    throw new OwnFileError(DAMAGED);
  }
  const { isReconciled, files } = document;
  if (typeof isReconciled !== 'boolean') throw new OwnFileError(OTHER_KIND);
  if (!isReconciled) throw new OwnFileError('is of files that are not reconciled: mend them first');
  if (!Array.isArray(files) || !files.every((file) => Array.isArray(file?.balances)))
    throw new OwnFileError(DAMAGED);
  return files.flatMap(({ balances }) => balances.map(closingInReport));
}

/** @throws OwnFileError */
function closingInReport(value: unknown): Closing {
  const { account, closing } = (value ?? {}) as Record<keyof Closing, unknown>;
  if (typeof account !== 'string' || (closing !== null && !isClosingBalance(closing)))
    throw new OwnFileError(DAMAGED);
  return { account, closing };
}
