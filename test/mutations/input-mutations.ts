/** Ways to break the reading of what clients send, and what they are told of it. */
import type { Mutation } from './mutations.ts';

export const INPUT_MUTATIONS: Mutation[] = [
  {
    name: 'texts are stored in another spelling than they were sent',
    breaks: ['I1'],
    file: 'gateway/body.ts',
    edits: [
      [
        "return new TextDecoder('utf-8', { fatal: true }).decode(bytes);",
        "return new TextDecoder('utf-8', { fatal: true }).decode(bytes).normalize('NFC');",
      ],
    ],
    tests: ['test/gateway/properties.test.ts', 'test/hostile/hostile.test.ts'],
  },
  {
    name: 'bytes that are not UTF-8 are mended in silence',
    breaks: ['I1'],
    file: 'gateway/body.ts',
    edits: [["new TextDecoder('utf-8', { fatal: true })", "new TextDecoder('utf-8', { fatal: false })"]],
    tests: ['test/gateway/body.test.ts'],
  },
  {
    name: 'amounts written as floats are taken',
    breaks: ['I1'],
    file: 'gateway/body.ts',
    edits: [[' && floats.size === 0', '']],
    tests: ['test/gateway/validation.test.ts'],
  },
  {
    name: 'an escape in its name hides that an amount is a float',
    breaks: ['I1'],
    file: 'gateway/json.ts',
    edits: [["if (text.includes('\\\\')) return false;", '']],
    tests: ['test/gateway/validation.test.ts'],
    only: 'an escape hides',
  },
  {
    name: 'U+0000 reaches the database',
    breaks: ['I8'],
    file: 'gateway/schemas.ts',
    edits: [["pattern: '^[^\\\\u0000\\\\ud800-\\\\udfff]*$'", "pattern: '^[^\\\\ud800-\\\\udfff]*$'"]],
    tests: ['test/gateway/validation.test.ts', 'test/hostile/hostile.test.ts'],
  },
  {
    name: 'an entry of many faults makes the list of them longer than it may be',
    breaks: [],
    file: 'gateway/body.ts',
    edits: [['issues: issues.slice(0, ISSUES_MAX)', 'issues']],
    tests: ['test/gateway/validation.test.ts'],
    only: 'more than 100',
  },
  {
    name: 'every invalid category of a request is listed',
    breaks: [],
    file: 'gateway/refusals.ts',
    edits: [['indexes.slice(0, ISSUES_MAX)', 'indexes']],
    tests: ['test/gateway/create.test.ts'],
    only: 'more than 100',
  },
  {
    name: 'the categories are proposed that the first entry may have, whichever is wrong',
    breaks: [],
    file: 'gateway/refusals.ts',
    edits: [['accepted(indexes[0] ?? 0)', 'accepted(0)']],
    tests: ['test/gateway/create.test.ts'],
    only: 'proposes the nearest',
  },
  {
    name: 'an error repeats a source id of any length',
    breaks: [],
    file: 'gateway/refusals.ts',
    edits: [['sourceId.slice(0, 64)', 'sourceId']],
    tests: ['test/gateway/create.test.ts'],
    only: 'stays short',
  },
];
