/** The writer of XLSX workbooks, read back by the reader of statements. */
import { expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { EXPORT_COLUMNS, exportCells } from '../../../../clients/typescript/books/export-rows.ts';
import { workbookOf } from '../../../../clients/typescript/books/workbook.ts';
import { readStatement } from '../../../../clients/typescript/import/index.ts';
import type { Transaction } from '../../../../clients/typescript/index.ts';

test.each([
  ' spaces ',
  'a\tb\nc\r\nd\re',
  '<t>&amp;</t> ]]>',
  '_x0041_ and _x005F_x0041_',
  '\u0001\u001f\u007f\u0085\ufffe\uffff',
  '😀 é 例',
  '',
])('the text %j comes back as it was', async (description) => {
  const entry: Transaction = {
    id: '00000000-0000-4000-8000-000000000001',
    date: '2026-04-06',
    type: 'income',
    amountPence: 1,
    category: null,
    description,
    externalRef: 'r',
  };
  const { entries } = await readStatement(workbookOf([[...EXPORT_COLUMNS], exportCells(entry)]));
  expect(entries[0]?.entry.description ?? '').toBe(description);
});

test('a workbook has the parts that the format requires, and no cell but text', () => {
  const parts = unzipSync(workbookOf([['=1+1', '1']]));
  expect(Object.keys(parts)).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/worksheets/sheet1.xml',
  ]);
  const sheet = new TextDecoder().decode(parts['xl/worksheets/sheet1.xml']);
  expect(sheet.match(/<c [^>]*>/g)).toEqual(['<c r="A1" t="inlineStr">', '<c r="B1" t="inlineStr">']);
  expect(sheet).not.toContain('<f>');
});
