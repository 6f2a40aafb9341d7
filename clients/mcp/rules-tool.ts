/** `explain_rules`: the grammar of rules, from the page for people. */
import { z } from 'zod';
import rules from '../../docs/rules.md' with { type: 'text' };
import type { AddTool } from './tool.ts';

/** The section about rules and splits. */
const [GRAMMAR = ''] = (rules.split('\n## The lines of the file\n')[1] ?? '').split('\n## Kept answers\n');

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
