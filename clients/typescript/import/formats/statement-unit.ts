/** The unit of the amounts in formats without columns. */
import { lookLikePence, questionOfUnit } from '../columns/settle/unit-question.ts';
import type { ImportOptions } from '../options.ts';
import { refusalOf } from '../questions/refusal.ts';
import type { ParsedFile } from '../rows/parsed-row.ts';
import { NO_WHOLE_PENCE } from '../table/signed-amount.ts';

/**
 * The file with its amounts in pounds. Its balances may have another unit than its amounts.
 * @throws ImportError `unresolved_columns` if all amounts look like pence, and nobody has answered
 */
export function inUnit<File extends ParsedFile>(file: File, { unit }: ImportOptions): File {
  const name = `${file.columnNames.amount}`;
  const rows = file.parsedRows.filter(({ skipReason }) => skipReason === undefined);
  if (unit === undefined && lookLikePence(rows.map(({ texts }) => texts().amount))) {
    throw refusalOf(
      [questionOfUnit(name, [])],
      rows.map(({ account }) => account),
    );
  }
  for (const parsed of unit === 'pence' ? file.parsedRows : []) {
    const { pence = 0, problems, statement } = parsed;
    if (pence % 100)
      problems.push({ field: 'amount', column: name, value: parsed.texts().amount, message: NO_WHOLE_PENCE });
    if (pence) parsed.pence = pence / 100;
    delete statement?.opening;
    delete statement?.closing;
  }
  return file;
}
