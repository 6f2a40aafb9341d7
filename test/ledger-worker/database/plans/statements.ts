/** The statements that there are: in the worker's source, and in the functions of the database. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript-5';
import type { Sql } from '../../../../ledger-worker/database/connection.ts';
import { plain } from './rules.ts';

const WORKER = join(import.meta.dir, '../../../../ledger-worker');
const BEFORE_THE_START = ['migrate.ts', 'distribute.ts', 'schema-changes.ts'];
/** The check of the database reads everything. */
const isOfNoRequest = (file: string) =>
  BEFORE_THE_START.includes(basename(file)) || file.startsWith('verify/');
const OF_NO_TABLE = /^select (1$|to_regclass|current_setting)| from pg_settings /;

/** Every statement and part of a statement of the worker, by the text that it becomes, values left out. */
export function workerStatements(): { file: string; text: string; pattern: RegExp }[] {
  const files = readdirSync(WORKER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !isOfNoRequest(file),
  );
  return files.flatMap((file) =>
    templatesIn(readFileSync(join(WORKER, file), 'utf8'))
      .map((pieces) => pieces.map(plain))
      .filter((pieces) => pieces.join('') !== '' && !OF_NO_TABLE.test(pieces.join('')))
      .map((pieces) => ({
        file,
        text: pieces.join('…'),
        pattern: new RegExp(pieces.map(RegExp.escape).join('.*')),
      })),
  );
}

/** The fixed pieces of every template that the driver's tag makes a statement of. */
function templatesIn(source: string): string[][] {
  const found: string[][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
      const { template } = node;
      found.push(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? [template.text]
          : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)],
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('worker.ts', source, ts.ScriptTarget.Latest, true));
  return found;
}

/**
 * The end of every statement on a table in the functions that have been called: what precedes it, PL/pgSQL rewrites, and it removes
 * the variables that the result goes to.
 * @throws Error when a function is named by one that was called, and was not called itself
 */
export async function functionStatements(sql: Sql): Promise<{ name: string; text: string }[]> {
  const functions = await sql<{ name: string; body: string; calls: number; isInlined: boolean }[]>`
    select proname as name, prosrc as body, coalesce(calls, 0)::integer as calls,
           -- Their calls are not counted. The statement that calls one contains it.
           lanname = 'sql' and (proretset or prosrc not like '%ledger.%') as "isInlined"
      from pg_proc join pg_language on pg_language.oid = prolang left join pg_stat_user_functions on funcid = pg_proc.oid
     where pronamespace = 'ledger'::regnamespace`;
  const called = functions.filter(({ calls }) => calls > 0);
  const names = new Set(called.map(({ name }) => name));
  for (const { name, body } of called) {
    const missed = functions.filter(
      (other) => body.includes(`ledger.${other.name}(`) && !names.has(other.name) && !other.isInlined,
    );
    if (missed.length > 0) throw new Error(`${name} never called ${missed.map((each) => each.name).join()}`);
  }
  return called.flatMap(({ name, body }) =>
    body
      .replace(/--.*$/gm, '')
      .replace(EXECUTED, '')
      .replace(INTO_VARIABLES, '')
      .split(/;|\bthen\b|\bloop\b/)
      .filter((text) =>
        /\b(from|join|into|update)\s+ledger\.\w+(?!\w*\s*\()|\binsert into ledger\./.test(text),
      )
      .map((text) => ({ name, text: plain(text).slice(-TAIL_LENGTH) })),
  );
}

const TAIL_LENGTH = 60;
const EXECUTED = /\$statement\$(\s+into [^;]*)?/g;
const INTO_VARIABLES = /\binto (?:v_)?\w+(?:, \w+)*(?=\s+from\b)/g;
