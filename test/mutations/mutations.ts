/**
 * The mutations in the `.diff` files of this folder: edits of the service and of the clients, each of which breaks one rule.
 *
 * After its title, a file has paragraphs: `caught by` and the test files that follow run with the mutations below, one of whose tests
 * must fail (after a colon: only tests whose names contain this text); or a mutation: its name, the promises of docs/promises.md that
 * it breaks, and for each place `@@` and the file, with removed lines after `-`, added lines after `+`, and others after a space.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whole lines, each with its line feed. */
interface Edit {
  file: string;
  before: string;
  after: string;
}

export interface Mutation {
  name: string;
  /** The broken promises; none when it breaks another rule. */
  breaks: string[];
  edits: Edit[];
  /** Test files, relative to the root. */
  tests: string[];
  /** Only tests whose names contain this text. */
  only: string | undefined;
}

export const MUTATIONS = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith('.diff'))
  .flatMap((file) => parse(readFileSync(join(import.meta.dir, file), 'utf8')));

/** @throws Error with the paragraph that is none of the above */
export function parse(text: string): Mutation[] {
  const mutations: Mutation[] = [];
  let tests: string[] = [];
  let only: string | undefined;
  for (const paragraph of text.trimEnd().split('\n\n').slice(1)) {
    const caughtBy = /^caught by ([^:\n]+)(?:: (.+))?$/.exec(paragraph);
    const mutation = /^(.+?)(?: \(([IS]\d+(?:, [IS]\d+)*)\))?\n@@ /.exec(paragraph);
    if (caughtBy) {
      tests = `${caughtBy[1]}`.split(', ');
      only = caughtBy[2];
    } else if (mutation) {
      const [, name = '', breaks] = mutation;
      const edits = paragraph.split('\n@@ ').slice(1).map(parseEdit);
      mutations.push({ name, breaks: breaks?.split(', ') ?? [], edits, tests, only });
    } else throw new Error(`Neither "caught by" nor a mutation: ${paragraph}`);
  }
  return mutations;
}

function parseEdit(hunk: string): Edit {
  const [file = '', ...lines] = hunk.split('\n');
  const wrong = lines.find((line) => !/^[-+ ]/.test(line));
  if (wrong !== undefined)
    throw new Error(`A line of an edit of ${file} begins with "-", "+" or a space: ${wrong}`);
  const without = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return { file, before: without('+'), after: without('-') };
}

/** @throws Error with the file when the lines to replace are missing or occur more than once */
export function mutate(original: string, { file, before, after }: Edit): string {
  const [start, end, ...more] = `\n${original}`.split(`\n${before}`);
  if (start === undefined || end === undefined || more.length > 0) {
    throw new Error(`${file} must contain exactly once:\n${before}`);
  }
  return `${start}\n${after}${end}`.slice(1);
}
