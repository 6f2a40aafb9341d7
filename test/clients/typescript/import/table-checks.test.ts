/** The passes over a whole table have an order, which the comment of `checkTogether` gives with its reasons. */
import { expect, test } from 'bun:test';
import { read } from '../../../fixtures/imports.ts';

test('the comment of checkTogether lists its passes in the order of their calls', () => {
  const source = read('clients/typescript/import/table/table-checks.ts');
  const [, comment = '', body = ''] =
    /(\n \* 1\. [^/]*)\*\/\nexport function checkTogether(.*?)\n}\n/s.exec(source) ?? [];
  const listed = [...comment.matchAll(/(?<=\n \* \d\. .*)`(\w+)`/g)].map(([, name]) => name);
  const called = [...body.matchAll(/(\w+)\((?:parsedRows|balanced)\b/g)].map(([, name]) => name);
  expect(listed).toEqual(called);
  expect(called.length).toBeGreaterThan(7);
});
