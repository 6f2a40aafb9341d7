/** Works out the formulas of a workbook of figures, by the few functions that they use. */
import type { Cell } from '../../../../clients/typescript/export/workbook.ts';

type Sheets = Readonly<Record<string, readonly Cell[][]>>;

/** A number, or a text. */
const contentOf = (cell: Cell | undefined): string | number =>
  typeof cell === 'object' ? Number(cell.value) : (cell ?? '');

/** @param letters such as `AB` */
const columnOf = (letters: string) =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Halves go away from zero. The tenth of a millionth takes back the error of a division by 100. */
const rounded = (value: number, digits: number) => {
  const scaled = Math.abs(value) * 10 ** digits;
  return (Math.sign(value) * Math.floor(scaled + 0.5 + 1e-7)) / 10 ** digits;
};

type Criterion = string | number;

function meets(value: Criterion, criterion: Criterion): boolean {
  const [, sign, limit] = /^(>=|<=|<)(.*)$/.exec(String(criterion)) ?? [];
  if (sign === undefined) return value === criterion;
  if (sign === '<') return Number(value) < Number(limit);
  return sign === '>=' ? Number(value) >= Number(limit) : Number(value) <= Number(limit);
}

const FUNCTIONS = {
  ABS: Math.abs,
  TRUNC: Math.trunc,
  ROUND: rounded,
  SUMIFS: (amounts: readonly Criterion[], ...pairs: (Criterion[] | Criterion)[]) =>
    amounts.reduce<number>((sum, amount, row) => {
      const isMet = pairs.every((column, at) => {
        return at % 2 === 1 || meets((column as Criterion[])[row] ?? '', pairs[at + 1] as Criterion);
      });
      return isMet ? sum + Number(amount) : sum;
    }, 0),
};

/** @param sheet the one with the formula. Cells with formulas have the values that the workbook gives them. */
export function worked(formula: string, sheet: string, sheets: Sheets): number {
  const cell = (of: string, letters: string, row: string) =>
    contentOf(sheets[of]?.[Number(row) - 1]?.[columnOf(letters)]);
  const range = (of: string, letters: string, first: string, last: string) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) =>
      cell(of, letters, String(Number(first) + at)),
    );
  const script = formula.replace(
    /"[^"]*"|(\w+)!\$([A-Z]+)\$(\d+):\$[A-Z]+\$(\d+)|([A-Z]+)(\d+)|&/g,
    (found, of, letters, first, last, own, row) => {
      if (of) return JSON.stringify(range(of, letters, first, last));
      if (own) return JSON.stringify(cell(sheet, own, row));
      return found === '&' ? '+' : found;
    },
  );
  const names = Object.keys(FUNCTIONS);
  return Number(new Function(...names, `return ${script}`)(...Object.values(FUNCTIONS)));
}
