/** The plans that Postgres wrote to its log (auto_explain, as JSON), by request. */
import type { Sql } from '../../../../ledger-worker/database/connection.ts';
import { until } from '../../../fixtures/until.ts';

/** Of each message: no plan contains it. */
export const LINE_PREFIX = '@@ ';

/** A node of a plan that was carried out, in EXPLAIN's own words; rows are those of one loop, on average. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'TID Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  /** Of 8 KiB, with those of the nodes beneath. */
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

export interface LoggedPlan {
  statement: string;
  root: PlanNode;
}

/** @param sql of a connection whose statements are not explained */
export function readPlanLog(logFile: string, sql: Sql) {
  let read = 0;
  let marks = 0;
  // Messages come in the order in which they were written, but some time after.
  const upToNow = async () => {
    const mark = `${LINE_PREFIX}LOG:  mark ${++marks}.\n`;
    await sql.unsafe(`do $$ begin raise log 'mark ${marks}.'; end $$`);
    let text = '';
    await until('the log has been written', async () => {
      text = await Bun.file(logFile).slice(read).text();
      return text.includes(mark);
    });
    read += Buffer.byteLength(text);
    return text;
  };
  return {
    /** The plans of every statement that came while `send` ran, those inside of functions and constraints included. */
    async during(send: () => Promise<unknown>): Promise<LoggedPlan[]> {
      await upToNow();
      await send();
      return plansIn(await upToNow());
    },
  };
}

const PROBE = 'select 1';
/** None is in the middle of it: Postgres writes a message of another session, up to 4 KiB long, between two pages of a longer one. */
const WHOLE_MESSAGE = /@@ LOG: {2}duration: \S+ ms {2}plan:\n(\t\{\n(?:(?!@@ )[\s\S])*?\n\t\})\n/;
/** For example of a checkpoint. */
const OTHER_MESSAGE = /@@ (?!LOG: {2}duration: \S+ ms {2}plan:).*\n/g;

function plansIn(text: string): LoggedPlan[] {
  const plans: LoggedPlan[] = [];
  let rest = text.replace(OTHER_MESSAGE, '');
  for (let found = WHOLE_MESSAGE.exec(rest); found; found = WHOLE_MESSAGE.exec(rest)) {
    const plan = JSON.parse(found[1] as string);
    plans.push({ statement: plan['Query Text'], root: plan.Plan });
    rest = rest.slice(0, found.index) + rest.slice(found.index + found[0].length);
  }
  if (rest.includes('plan:')) throw new Error(`This is no plan: ${rest}`);
  // The worker sends it every second.
  return plans.filter(({ statement }) => statement !== PROBE);
}
