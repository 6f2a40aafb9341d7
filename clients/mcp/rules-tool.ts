/** `explain_rules`: the grammar of rules, from the page for people. */
import { z } from 'zod';
import importing from '../../docs/importing.md' with { type: 'text' };
import type { AddTool } from './tool.ts';

/** The section about rules, up to the part about several files, which an assistant cannot name at once. */
const [GRAMMAR = ''] = (importing.split('\n## Rules\n')[1] ?? '').split('\n### Several files\n');

export function addRulesTool(addTool: AddTool): void {
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
}
