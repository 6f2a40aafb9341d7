/** The database functions have no statement that Citus refuses. `test/citus/refused-forms.test.ts` tries the examples on real Citus. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL_FOLDER } from '../../../ledger-worker/database/schema-sql.ts';
import { sql } from '../../fixtures/system.ts';
import { functionOf, KEPT, PLANNED, REFUSED } from './forms.ts';
import { refusedForms, type VolatilityOf } from './refused-forms.ts';

setDefaultTimeout(60_000);

let volatilityOf: VolatilityOf;
beforeAll(async () => {
  // i, s, v: the greatest is the least constant.
  const rows = await sql<{ name: string; volatility: string }[]>`
    select proname as name, max(provolatile::text) as volatility from pg_proc group by proname`;
  const byName = new Map(rows.map(({ name, volatility }) => [name, volatility]));
  volatilityOf = (name) => byName.get(name) ?? 'v';
});

const FOLDER = join(SQL_FOLDER, 'functions');
/** Their functions are called with kept plans: ledger.write_group and the reads set plan_cache_mode. */
const WITH_KEPT_PLANS = ['write', 'read'];
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql'))
  .sort();

test.each(FILES)('Citus can plan every statement of %s', (file) => {
  const keepsPlans = WITH_KEPT_PLANS.includes(file.split('/')[0] ?? '');
  expect(refusedForms(readFileSync(join(FOLDER, file), 'utf8'), { volatilityOf, keepsPlans })).toEqual([]);
});

test.each(Object.entries(REFUSED))('%s is found', (_, statement) => {
  expect(refusedForms(functionOf('f', statement), { volatilityOf, keepsPlans: false })).toHaveLength(1);
});

test.each(Object.entries(KEPT))('in a kept plan %s is found, and elsewhere it is allowed', (_, statement) => {
  const find = (keepsPlans: boolean) =>
    refusedForms(functionOf('f', statement), { volatilityOf, keepsPlans });
  expect(find(true).length).toBeGreaterThan(0);
  expect(find(false)).toEqual([]);
});

test.each(Object.entries(PLANNED))('%s is allowed', (_, statement) => {
  expect(refusedForms(functionOf('f', statement), { volatilityOf, keepsPlans: true })).toEqual([]);
});
