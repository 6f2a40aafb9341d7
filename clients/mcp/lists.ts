/** The tools that only look something up: `list_sources`, `list_categories`, `explain_rules` and `read_page`. */
import { z } from 'zod';
import rules from '../../docs/rules.md' with { type: 'text' };
import type { Ledger } from '../typescript/index.ts';
import { list, listOf, type Pages } from './pages.ts';
import { UNTRUSTED_TEXTS } from './texts.ts';
import type { AddTool } from './tool.ts';

const SOURCE_TYPES = ['uk-property', 'foreign-property', 'self-employment'] as const;

const categories = z.array(z.object({ key: z.string(), label: z.string() }));

/** The section of the page for people about rules and splits. */
const [GRAMMAR = ''] = (rules.split('\n## The lines of the file\n')[1] ?? '').split('\n## Kept answers\n');

/** Adds the tools that only look something up. */
export function addListTools(addTool: AddTool, ledger: Ledger, pages: Pages): void {
  addTool(
    'list_sources',
    {
      title: 'List sources',
      description: `The income sources of the account: properties and businesses. Every entry is in one of them. Changes nothing. ${UNTRUSTED_TEXTS}`,
      input: {},
      output: {
        sources: listOf({
          id: z.string(),
          name: z.string(),
          type: z.string(),
          countryCode: z.string().nullable(),
          sharePercent: z.number(),
          entries: z.int(),
        }),
      },
    },
    async (_, call) => ({
      sources: list(
        await ledger.sources(call),
        ({ id, name, type, countryCode, sharePercent, transactionCount }) => ({
          id,
          name,
          type,
          countryCode,
          sharePercent,
          entries: transactionCount,
        }),
      ),
    }),
  );

  addTool(
    'list_categories',
    {
      title: 'List categories',
      description:
        'The keys of the categories that a source of a type takes, for income and for expenses. No other key can be stored. An entry without one waits in the review queue of the app. Changes nothing.',
      input: { sourceType: z.enum(SOURCE_TYPES) },
      output: { sourceType: z.enum(SOURCE_TYPES), income: categories, expense: categories },
    },
    async ({ sourceType }, call) => {
      const { income, expense } = await ledger.categories(sourceType, call);
      return { sourceType, income, expense };
    },
  );

  addTool(
    'explain_rules',
    {
      title: 'Explain rules',
      description:
        'The grammar of the rules that decide the source and the category of rows, split them or leave them out, with examples. Changes nothing.',
      input: {},
      output: { grammar: z.string() },
    },
    async () => ({ grammar: GRAMMAR.trim() }),
  );

  addTool(
    'read_page',
    {
      title: 'Read a page of a list',
      description: `The next rows of a list in a result: \`next\` of the list is their cursor, null at the end. Changes nothing. ${UNTRUSTED_TEXTS}`,
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
