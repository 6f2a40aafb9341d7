/** Small statements. Their column Type gives the direction of each amount: a few amounts without a balance have no other evidence. */

/** The header and the rows with the column Type. A minus is money out. No cell has a comma. */
export function typedRows(header: string, rows: readonly string[]): string[] {
  const index = header.split(',').indexOf('Amount');
  const typeOf = (row: string) => (row.split(',')[index]?.startsWith('-') ? 'expense' : 'income');
  return [`${header},Type`, ...rows.map((row) => `${row},${typeOf(row)}`)];
}
