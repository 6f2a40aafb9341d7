/** Each recipe is written in the language of its product. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser';
import ts from 'typescript-5';
import { EXCEL_SCRIPT } from './sheets.ts';

setDefaultTimeout(60_000);

const RECIPES = join(import.meta.dir, '../../../clients/recipes');
const read = (file: string) => readFileSync(join(RECIPES, file), 'utf8');

test('Google Sheets: no syntax that is newer than 2020, as the engine of Apps Script has no fixed version', () => {
  const newer = /\d_\d|\|\|=|&&=|\?\?=|\.replaceAll\(|\.at\(|^\s*#|static \{/m;
  expect('1_000 x ||= y').toMatch(newer);
  expect(read('google-sheets/Code.js')).not.toMatch(newer);
});

test('Excel: the script compiles as Office Scripts demand, strict, ES2017, without any', () => {
  const program = ts.createProgram([EXCEL_SCRIPT, join(import.meta.dir, 'excel-script.d.ts')], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2017,
    lib: ['lib.es2017.d.ts', 'lib.dom.d.ts'],
    types: [],
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  expect(problems).toEqual([]);
  expect(read('excel/push-rows.ts')).not.toMatch(/\bany\b(?=[\])>,;=]|$)|function\*|\.sort\(|\beval\b/);
});

test('Excel: the Power Query parses, and has no key. No engine of its language runs outside Excel and Power BI', async () => {
  const query = read('excel/entries.pq');
  const parse = (text: string) => TaskUtils.tryLexParse(DefaultSettings, text);
  expect(TaskUtils.isParseStageOk(await parse(query))).toBe(true);
  expect(TaskUtils.isParseStageOk(await parse(query.replace('in\n    Entries', 'Entries')))).toBe(false);
  expect(query).not.toContain('_live_');
});
