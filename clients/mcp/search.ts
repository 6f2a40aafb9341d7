/** `search_entries`: entries of the ledger, newest first. */
import { z } from 'zod';
import { sourceIn } from '../settings/sources.ts';
import type { Ledger, Source, Transaction } from '../typescript/index.ts';
import { list, listOf } from './pages.ts';
import { boundedText, day, payment, paymentFields, shortText, UNTRUSTED_TEXTS } from './texts.ts';
import type { AddTool } from './tool.ts';

const FOUND_MAX = 200;
const FOUND_DEFAULT = 50;
/** 25 of the 120 requests that a key has in a minute. */
const READ_MAX = 5_000;

const entry = {
  id: z.string(),
  source: z.string(),
  ...payment,
  reference: z.string().nullable(),
};

/** Adds `search_entries`. */
export function addSearchTool(addTool: AddTool, ledger: Ledger): void {
  addTool(
    'search_entries',
    {
      title: 'Search entries',
      description: `Stored entries, newest date first, source by source. Changes nothing. ${UNTRUSTED_TEXTS}`,
      input: {
        source: shortText.optional().describe('an id or a name; by default all sources'),
        from: day.optional().describe('first date, YYYY-MM-DD'),
        to: day.optional().describe('last date, YYYY-MM-DD'),
        text: shortText.optional().describe('a part of the description, the category or the reference'),
        limit: z.int().min(1).max(FOUND_MAX).optional().describe(`${FOUND_DEFAULT} by default`),
      },
      output: {
        entries: listOf(entry),
        isComplete: z.boolean().describe('false: there may be more; give a shorter period or another text'),
      },
    },
    async ({ source, from, to, text = '', limit = FOUND_DEFAULT }, call) => {
      const all = await ledger.sources(call);
      const found: ReturnType<typeof shownEntry>[] = [];
      const result = (isComplete: boolean) => ({ entries: list(found), isComplete });
      let read = 0;
      for (const each of source === undefined ? all : [sourceIn(all, source)]) {
        for await (const stored of ledger.transactions(each.id, { from, to, ...call })) {
          if (read++ === READ_MAX || found.length === limit) return result(false);
          if (hasText(stored, text.toLowerCase())) found.push(shownEntry(stored, each));
        }
      }
      return result(true);
    },
  );
}

const hasText = ({ description, category, externalRef }: Transaction, text: string) =>
  [description, category, externalRef].some((each) => (each ?? '').toLowerCase().includes(text));

const shownEntry = (stored: Transaction, source: Source) => ({
  id: stored.id,
  source: boundedText(source.name),
  ...paymentFields(stored),
  reference: stored.externalRef,
});
