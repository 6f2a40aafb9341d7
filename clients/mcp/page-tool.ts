/** `read_page`: the other rows of a list. */
import { z } from 'zod';
import { listOf, type Pages } from './pages.ts';
import { UNTRUSTED } from './texts.ts';
import type { AddTool } from './tool.ts';

export function addPageTool(addTool: AddTool, pages: Pages): void {
  addTool(
    'read_page',
    {
      title: 'Read a page of a list',
      description: `The next rows of a list in a result: \`next\` of the list is their cursor, null at the end. Changes nothing. ${UNTRUSTED}`,
      input: { cursor: z.string().max(100).describe('`next` of a list') },
      output: {
        ...listOf({}).shape,
        rows: z.array(z.looseObject({})).describe('as the rows of the list'),
        from: z.int().describe('the number of rows before these'),
      },
    },
    async ({ cursor }) => pages.at(cursor) as ReturnType<Pages['at']> & { rows: Record<string, unknown>[] },
  );
}
