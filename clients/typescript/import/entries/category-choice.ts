/** The category of a row: from the file or a correction, from the rules, or the default of its type. */

import type { Draft, Problem } from '../drafts/draft.ts';
import { ImportError, type ImportOptionName, type ImportOptions } from '../options.ts';
import { type CategoryReader, categoryReader } from './category.ts';
import { comparable, parseRules } from './rules.ts';

/**
 * Chooses the category of a row: the file or the correction goes first, then the first rule that matches, then the default of the type.
 * @throws ImportError `unknown_category`, `invalid_rules`
 */
export function categoryChooser(
  options: ImportOptions,
  column: string,
): (draft: Draft) => { key: string } | Problem | undefined {
  const reader = categoryReader(options.categories);
  const rules = parseRules(options.rules ?? '', reader);
  const defaults = {
    income: readDefault(reader, options.categoryIncome, 'income', 'categoryIncome'),
    expense: readDefault(reader, options.categoryExpense, 'expense', 'categoryExpense'),
  };
  return ({ category, type, pence, description }) => {
    if (category === '') return undefined;
    if (category !== undefined) {
      const read = type === undefined ? { problem: reader.check(category) } : reader.read(category, type);
      if ('key' in read) return read;
      if (read.problem === undefined) return undefined;
      return { field: 'category', column, value: category, message: read.problem, option: 'map' };
    }
    if (type === undefined) return undefined;
    const subject = pence && rules.length > 0 && { type, pence, description: comparable(description) };
    const rule = subject && rules.find(({ matches }) => matches(subject));
    if (rule) {
      const read = reader.read(rule.category, type);
      if ('key' in read) return read;
      const message = `Line ${rule.line} of the rules: ${read.problem}`;
      return { field: 'category', column: 'category', value: rule.category, message, option: 'rules' };
    }
    const key = defaults[type];
    return key === undefined ? undefined : { key };
  };
}

/** The key of the category that an option names for all entries of a type. */
function readDefault(
  reader: CategoryReader,
  text: string | undefined,
  type: 'income' | 'expense',
  option: ImportOptionName,
): string | undefined {
  if (text === undefined) return undefined;
  const read = reader.read(text, type);
  if ('problem' in read)
    throw new ImportError('unknown_category', `The default category of ${type}: ${read.problem}`, option);
  return read.key;
}
