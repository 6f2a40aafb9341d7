/** Lines of a rules file that are no rules and state facts of sources. */
import { ImportError, type PlanSource } from '../options.ts';
import { unquoted, withoutComment } from './decision.ts';
import { sourceNamed } from './sources.ts';

export interface Statement {
  line: number;
  /** After the beginning, without a comment. */
  said: string;
}

/** @param beginning of such lines */
export function statementsOf(text: string, beginning: RegExp): Statement[] {
  return text.split(/\r\n?|\n/).flatMap((content, index) => {
    if (!beginning.test(content)) return [];
    return { line: index + 1, said: withoutComment(content).replace(beginning, '') };
  });
}

/** @param name with or without quotes. @throws ImportError `invalid_rules` */
export function statedSource<Source extends PlanSource>(
  line: number,
  name: string,
  sources: readonly Source[],
): Source {
  const read = sourceNamed(sources, unquoted(name));
  if ('source' in read) return read.source as Source;
  throw problemIn(line, read.problem);
}

/** @param problem a sentence */
export const problemIn = (line: number, problem: string): ImportError =>
  new ImportError('invalid_rules', `Line ${line} of the rules: ${problem}`, 'rules');

/** The form of a name in a line of rules. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
