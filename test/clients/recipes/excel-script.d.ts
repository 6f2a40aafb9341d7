/** The part of Excel's API for Office Scripts that the recipe uses, as Microsoft documents it. */
declare namespace ExcelScript {
  type Cell = string | number | boolean;

  interface Workbook {
    getActiveWorksheet(): Worksheet;
    getSelectedRanges(): RangeAreas;
  }
  interface RangeAreas {
    getAreas(): Range[];
  }
  interface Worksheet {
    getUsedRange(valuesOnly?: boolean): Range | undefined;
    getRangeByIndexes(startRow: number, startColumn: number, rowCount: number, columnCount: number): Range;
  }
  interface Range {
    getRowIndex(): number;
    getRowCount(): number;
    getColumnIndex(): number;
    getColumnCount(): number;
    getRowHidden(): boolean;
    getNumberFormats(): string[][];
    getTexts(): string[][];
    getValues(): Cell[][];
    setValue(value: Cell): void;
  }
}
