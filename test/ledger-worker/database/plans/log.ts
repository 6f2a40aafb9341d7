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

// The worker sends it every second, on a connection of its own: it may be logged in the middle of another message.
const PROBE = /@@ LOG: {2}duration: \S+ ms {2}plan:\n\t\{\n\t {2}"Query Text": "select 1",[\s\S]*?\n\t\}\n/g;

function plansIn(text: string): LoggedPlan[] {
  return text
    .replace(PROBE, '')
    .split(LINE_PREFIX)
    .map((message) => /^LOG: {2}duration: \S+ ms {2}plan:\n([\s\S]*)$/.exec(message)?.[1])
    .filter((json) => json !== undefined)
    .map((json) => JSON.parse(json))
    .map((plan) => ({ statement: plan['Query Text'], root: plan.Plan }));
}
