/** The first row of a sheet, for both recipes. */
export const HEADER = [
  'Date',
  'Description',
  'Type',
  'Amount',
  'Category',
  'Reference',
  'Ledger id',
  'Ledger status',
];
