/** The option `--amount '[file:]column[+column…]=in|out[,category[,source]]'`: one of several amounts of a row. */
import type { AmountColumns } from '../typescript/import/index.ts';
import { usageError } from './exit.ts';

const FORM = /^(?<columns>.*)=\s*(?<direction>in|out)\s*(?:,(?<category>[^,]*)(?:,(?<source>.*))?)?$/is;

/** @param text without the name of the file. @throws CliError */
export function parseAmount(text: string): AmountColumns {
  const { columns, direction, category, source } = FORM.exec(text)?.groups ?? {};
  const names = (columns ?? '').split('+').map((name) => name.trim());
  if (direction === undefined || names.includes('')) {
    throw usageError(
      '--amount takes the columns of one amount and its direction, such as "Rent=in,periodAmount" or "Fee+VAT=out,professionalFees". A column whose name has a + goes by its number.',
    );
  }
  return {
    columns: names,
    direction: direction.toLowerCase() as AmountColumns['direction'],
    ...(category?.trim() && { category: category.trim() }),
    ...(source?.trim() && { source: source.trim() }),
  };
}
