/** Pages in JSON, members that are there twice, what begins with a bracket, and the advice for files that are not read. */
import { describe, expect, test } from 'bun:test';
import { readText } from './files.ts';

const ENTRY = '{"date":"2026-04-13","type":"expense","amountPence":500,"description":"a: \\"b\\": c"}';

describe('a page of transactions', () => {
  const page = (more: string) => readText(`{"transactions":[${ENTRY}]${more}}`);

  test.each(['', ',"nextCursor":null', ',"hasMore":false', ',"count":1'])(
    'is whole with %s',
    async (more) => {
      expect((await page(more)).entries).toHaveLength(1);
    },
  );

  test.each(['"nextCursor":"x"', '"hasMore":true', '"next":"/?page=2"'])(
    'is not whole with %s',
    async (more) => {
      await expect(page(`,${more}`)).rejects.toThrow('a page of several');
    },
  );

  test.each(['"total":2', '"currency":"EUR"', '"pending":[]', '"date":"2026-04-13"'])(
    'is refused with %s, of which nothing says what it is',
    async (more) => {
      await expect(page(`,${more}`)).rejects.toThrow(`beside "transactions"`);
    },
  );
});

test.each([
  `[${ENTRY.replace('}', ',"amountPence":500}')}]`,
  `{"transactions":[${ENTRY}],"transactions":[${ENTRY}]}`,
  `[${ENTRY.replace('}', ',"amount\\u0050ence":501}')}]`,
])('a member that is there twice is refused, also with the same value: %s', async (text) => {
  await expect(readText(text)).rejects.toThrow('twice in one object');
});

test('an id that is there twice is one entry', async () => {
  const entry = ENTRY.replace('{', '{"id":"x",');
  expect((await readText(`[${entry},${entry}]`)).skipped).toHaveLength(1);
});

test.each([
  ['a.json', `${ENTRY}\n${ENTRY}\n`, 'ndjson'],
  ['a.ndjson', `[\n${ENTRY}\n]`, 'json'],
  ['a.txt', `[${ENTRY}]`, 'json'],
  ['a.csv', '[Date],[Amount]\n2026-04-13,5.00\n', 'csv'],
])('the content says what a file is that begins with a bracket: %s %s', async (fileName, text, format) => {
  const result = await readText(text, { fileName });
  expect([result.recognised.format, result.invalid]).toEqual([format as typeof result.recognised.format, []]);
});

test.each([
  ['<?xml version="1.0"?>\n<gnc-v2 xmlns:gnc="x"></gnc-v2>', 'XML with the element <gnc-v2>'],
  ['<?xml version="1.0"?><!DOCTYPE KMYMONEY-FILE><KMYMONEY-FILE></KMYMONEY-FILE>', '<KMYMONEY-FILE>'],
  ['<!-- x --><div><table><tr><td>Date</td></tr></table></div>', 'a web page'],
  [':20:1\n:25:1/2\n:28C:1/1\n:60F:C260401GBP100,00\n', 'MT940'],
  ['01,122099999,1,260413,2000,1,80,1,2/\n02,031,122,1,260413,,GBP,2/\n', 'BAI2'],
  ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"></Document>', 'an order to a bank'],
  ['!TRNS\tTRNSID\tDATE\tAMOUNT\n', 'QuickBooks'],
  ['{\\rtf1\\ansi Date}', 'RTF'],
  ['MIME-Version: 1.0\nContent-Type: multipart/related', 'mail'],
  ['ID;PWXL;N;E\nC;Y1;X1;K"Date"', 'SYLK'],
  ['\u00ac\u0000\u0000\u0001', 'no text'],
])('%s is refused with what it is', async (text, message) => {
  await expect(readText(text)).rejects.toMatchObject({
    code: 'unreadable_file',
    message: expect.stringContaining(message),
  });
});
