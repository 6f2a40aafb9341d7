/** The conformance kit: checks a deployment of the Bookkeeping Ledger API against its documentation. */
import { TestedAccount } from './account.ts';
import { Context, RunBooks } from './context.ts';
import type { Exchange, Json } from './exchange.ts';
import { type Clock, systemClock } from './minute.ts';
import { isOutage, type Report, type RuleResult, ruleResult, unavailable, withoutKeys } from './report.ts';
import type { ConformanceRule } from './rule.ts';
import { createdIn } from './rules/history.ts';
import { RULES } from './rules.ts';

export type { Clock } from './minute.ts';
export type { Report, RuleOutcome, RuleResult } from './report.ts';
export type { ConformanceRule } from './rule.ts';
export { RULES, rulesNamed } from './rules.ts';

// Below the 120 of the API, because the clocks differ.
const PACE = 110;
// Longer than the longest request: 30 s for its body, 10 s for the rest.
const TIMEOUT_MS = 45_000;
// Longer than a restart of the service.
const OUTAGE_MS = 30_000;

export interface ConformanceOptions {
  /** Without `/api/v1`. */
  url: string;
  /** The keys of two accounts. */
  keys: { first: string; second: string; free?: string | undefined; readOnly?: string | undefined };
  /** The sources to write entries into, at least one of each account. */
  sources: { first: readonly string[]; second: readonly string[] };
  rules?: readonly ConformanceRule[];
  /** Whether 5,000 entries may be written to reach the daily cap. */
  fillDay?: boolean;
  /** The most requests in a minute and key. */
  pace?: number;
  /** The timeout of a request. */
  timeoutMs?: number;
  /** How long to wait for a service that stops responding during the run. */
  outageMs?: number;
  /** The clock for the minute limit of a key. */
  clock?: Clock;
  /** Called when a rule is checked, before the next one. */
  onRule?: (result: RuleResult) => unknown;
}

/** The run cannot begin. */
export class SetupError extends Error {}

/** @throws SetupError unless the keys and the sources belong to two accounts of this service */
export async function checkConformance(options: ConformanceOptions): Promise<Report> {
  const { url, keys, rules = RULES, fillDay = false, pace = PACE, onRule = () => {} } = options;
  const { timeoutMs = TIMEOUT_MS, outageMs = OUTAGE_MS, clock = systemClock } = options;
  const started = Date.now();
  const history: Exchange[] = [];
  const target = { url, pace, timeoutMs, clock };
  const first = new TestedAccount({ name: 'first', key: keys.first, ...target }, history);
  const second = new TestedAccount({ name: 'second', key: keys.second, ...target }, history);
  await setUp(first, second, options);

  const secrets = Object.values(keys).filter((key) => key !== undefined);
  const books = new RunBooks();
  const results: RuleResult[] = [];
  const check = async (rule: ConformanceRule): Promise<RuleResult> => {
    for (const each of [first, second]) each.rule = rule.id;
    const [account, other] = first.minute.left >= second.minute.left ? [first, second] : [second, first];
    const run = { freeKey: keys.free, readOnlyKey: keys.readOnly, fillDay };
    const context = new Context(rule.id, account, other, books, run, history);
    const error = await rule.check(context).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const last = history.findLast((each) => each.rule === rule.id);
    return withoutKeys(ruleResult(rule, error, last), secrets);
  };
  let isDown = false;
  for (const rule of rules) {
    let result = isDown ? unavailable(rule) : await check(rule);
    if (!isDown && result.isInterrupted) {
      isDown = !(await isBack(first, outageMs));
      // A service that responds again has a fault of this rule, or had an outage.
      result = isDown ? unavailable(rule) : await check(rule);
    }
    results.push(result);
    await onRule(result);
  }

  const count = (outcome: RuleResult['outcome']) => results.filter((each) => each.outcome === outcome).length;
  return {
    url,
    startedAt: new Date(started).toISOString(),
    seconds: Math.round((Date.now() - started) / 1_000),
    requests: history.length,
    counts: { holds: count('holds'), broken: count('broken'), 'not checked': count('not checked') },
    isDown,
    entries: { created: createdIn(history).length, year: books.year, descriptions: books.prefix },
    rules: results,
  };
}

/** Whether the service responds again before the time is over. */
async function isBack(account: TestedAccount, outageMs: number): Promise<boolean> {
  const until = Date.now() + outageMs;
  for (;;) {
    const response = await account.get('/api/v1/me').catch(() => undefined);
    if (response && !isOutage(response)) return true;
    if (Date.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function setUp(
  first: TestedAccount,
  second: TestedAccount,
  { sources }: ConformanceOptions,
): Promise<void> {
  const ids = new Set<string>();
  for (const [account, wanted] of [
    [first, sources.first],
    [second, sources.second],
  ] as const) {
    const { name } = account.options;
    const me = await successOf(account, '/api/v1/me');
    ids.add(me.accountId);
    const { sources: listed = [] } = await successOf(account, '/api/v1/sources');
    account.listed = listed.map(({ id }: Json) => id);
    account.sources = wanted.map((id) => {
      const source = listed.find((each: Json) => each.id === id);
      if (!source) throw new SetupError(`${id} is not a source of the ${name} account.`);
      return { id, type: source.type };
    });
    if (account.sources.length === 0) throw new SetupError(`The ${name} account needs a source.`);
  }
  if (ids.size < 2) throw new SetupError('The two keys must belong to two accounts.');
}

async function successOf(account: TestedAccount, path: string): Promise<Json> {
  const { name, url } = account.options;
  const response = await account.get(path).catch((error: Error) => {
    throw new SetupError(`${url} cannot be reached: ${error.message}.`);
  });
  if (response.status === 200) return response.body;
  const code = response.body?.error?.code ?? '';
  throw new SetupError(
    `${path} of the ${name} account responded ${response.status} ${code}.`.replace(' .', '.'),
  );
}
