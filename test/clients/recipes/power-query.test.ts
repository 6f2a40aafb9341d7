/** The Power Query of the Excel recipe. It can only be parsed here: no engine of the language runs outside Excel and Power BI. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser';

const QUERY = readFileSync(join(import.meta.dir, '../../../clients/recipes/excel/entries.pq'), 'utf8');
const parse = (text: string) => TaskUtils.tryLexParse(DefaultSettings, text);

test('it parses without an error', async () => {
  expect(TaskUtils.isParseStageOk(await parse(QUERY))).toBe(true);
  expect(TaskUtils.isParseStageOk(await parse(QUERY.replace('in\n    Entries', 'Entries')))).toBe(false);
});

test('it has no key, sends it in the header only, and reads whole pages', () => {
  expect(QUERY).not.toContain('_live_');
  expect(QUERY).toContain('Headers = [Authorization = "Bearer " & Key');
  expect(QUERY.match(/\bKey\b/g)).toHaveLength(2);
  expect(QUERY).toContain('limit = "200"');
});
