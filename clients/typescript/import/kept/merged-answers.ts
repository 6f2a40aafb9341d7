/** Answers about columns behind the options that are given: the kept ones, and in the command those for all files. */

import { columnsNamed } from '../columns/column-names.ts';
import { headerKey } from '../files/cells.ts';
import type { ImportOptions } from '../options.ts';
import { type ColumnAnswers, type Field, SINGLE_AMOUNTS } from '../questions-and-answers.ts';
import { columnAnswersOf } from '../rules/answers-text.ts';

const SINGLE: readonly Field[] = SINGLE_AMOUNTS;
const MONEY_FIELDS: readonly Field[] = [...SINGLE, 'moneyIn', 'moneyOut'];
const DIRECTED: readonly Field[] = [...MONEY_FIELDS, 'type'];

/** The options with other answers added. An option for a column, a field or a value replaces the other one. */
export function withFallback(
  options: ImportOptions,
  fallback: ColumnAnswers,
  header: readonly string[],
): ImportOptions {
  const keys = header.map(headerKey);
  const place = (name: string) => columnsNamed(name, keys)[0] ?? headerKey(name);
  const { map = {}, ignore = [], amounts = [], values = {} } = options;
  const given = new Set(
    [
      ...Object.values(map).filter((name) => name !== ''),
      ...ignore,
      ...amounts.flatMap(({ columns }) => columns),
    ].map(place),
  );
  const isFree = (name: string) => !given.has(place(name));
  const fields = Object.keys(map) as Field[];
  const isSingle = fields.some((field) => SINGLE.includes(field));
  const isMoneyGiven = amounts.length > 0 || fields.some((field) => MONEY_FIELDS.includes(field));
  const isOpen = (field: Field) =>
    !fields.includes(field) &&
    !(isSingle && MONEY_FIELDS.includes(field)) &&
    !(isMoneyGiven && SINGLE.includes(field));
  const addedMap = (Object.entries(fallback.map ?? {}) as [Field, string][]).filter(
    ([field, name]) => isOpen(field) && (name === '' || isFree(name)),
  );
  const addedAmounts = isSingle
    ? []
    : (fallback.amounts ?? []).filter(({ columns }) => columns.every(isFree));
  const ignored = new Set(ignore.map(place));
  const all = new Map(Object.entries(fallback.values ?? {}).filter(([name]) => !ignored.has(place(name))));
  for (const [name, meanings] of Object.entries(values)) {
    const same = [...all.keys()].find((each) => place(each) === place(name)) ?? name;
    all.set(same, Object.fromEntries([...Object.entries(all.get(same) ?? {}), ...Object.entries(meanings)]));
  }
  return {
    ...options,
    ...columnAnswersOf({
      map: Object.fromEntries([...addedMap, ...Object.entries(map)]),
      ignore: [...(fallback.ignore ?? []).filter(isFree), ...ignore],
      amounts: [...addedAmounts, ...amounts],
      values: Object.fromEntries(all),
      unit: options.unit ?? fallback.unit,
    }),
  };
}

/** The answers without those about direction, about values and about the unit, one kind at a time: the file may settle it by itself. */
export function withoutEach(answers: ColumnAnswers): ColumnAnswers[] {
  const { map = {}, amounts, values, unit } = answers;
  const others = Object.entries(map).filter(([field]) => !DIRECTED.includes(field as Field));
  const isDirected = others.length < Object.keys(map).length || amounts !== undefined;
  return [
    ...(isDirected ? [{ ...answers, map: Object.fromEntries(others), amounts: undefined }] : []),
    ...(values === undefined ? [] : [{ ...answers, values: undefined }]),
    ...(unit === undefined ? [] : [{ ...answers, unit: undefined }]),
  ];
}
