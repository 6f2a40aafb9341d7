/** Answers about a file as options of the command. */
import type { ImportOptions } from '../../typescript/import/index.ts';
import { amountColumnsText, valuesText } from '../../typescript/import/rules/answers-text.ts';

/** The file among several, and the columns that `--map` cannot take by name. */
export interface NamedIn {
  /** Undefined if the command has one file. */
  file: string | undefined;
  /** A column as `--map` takes it. */
  columnOf: (name: string) => string;
}

/** The arguments that mean these answers. */
export function choiceOptions(options: ImportOptions, { file, columnOf }: NamedIn): string[] {
  const behindFile = (text: string) => (file === undefined ? text : `${file}:${text}`);
  const { map = {}, ignore = [], values = {}, amounts = [], rowMeanings = {}, unit } = options;
  const pairs = Object.entries(map).map(([field, name]) => `${field}=${columnOf(name)}`);
  const texts = Object.entries(values).map(([name, meanings]) => valuesText(name, meanings));
  const rowPairs = Object.entries(rowMeanings).map(([row, meaning]) => `${row}=${meaning}`);
  return [
    ...(pairs.length > 0 ? ['--map', behindFile(pairs.join(','))] : []),
    ...amounts.flatMap((amount) => ['--amount', behindFile(amountColumnsText(amount))]),
    ...ignore.flatMap((name) => ['--ignore', behindFile(columnOf(name))]),
    ...texts.flatMap((text) => ['--values', behindFile(text)]),
    ...(unit === undefined ? [] : ['--unit', behindFile(unit)]),
    ...(rowPairs.length > 0 ? ['--rows', behindFile(rowPairs.join(','))] : []),
  ];
}
