/** `list_sources` and `list_categories`. */
import { z } from 'zod';
import type { Ledger } from '../typescript/index.ts';
import { list, listOf } from './pages.ts';
import { UNTRUSTED } from './texts.ts';
import type { AddTool } from './tool.ts';

const SOURCE_TYPES = ['uk-property', 'foreign-property', 'self-employment'] as const;

const categories = z.array(z.object({ key: z.string(), label: z.string() }));

export function addListTools(addTool: AddTool, ledger: Ledger): void {
  addTool(
    'list_sources',
    {
      title: 'List sources',
      description: `The income sources of the account: properties and businesses. Every entry is in one of them. Changes nothing. ${UNTRUSTED}`,
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
}
