/** Which errors of Postgres and Citus a repeated request may cure. */
import { afterAll, expect, test } from 'bun:test';
import postgres from 'postgres';
import { isTransient, kindOf } from '../../../ledger-worker/database/errors.ts';
import { openSql } from '../../fixtures/system.ts';

const sql = openSql(1);
afterAll(() => sql.end());

const errorOf = (statement: string) =>
  sql.unsafe(statement).then(
    () => undefined,
    (error: unknown) => error,
  );

test('a server that does not write, as a standby after a failover, is unavailable', async () => {
  const error = await errorOf('begin read only; create table ledger.none (); rollback');
  await sql.unsafe('rollback');
  expect((error as postgres.PostgresError).code).toBe('25006');
  expect([kindOf(error), isTransient(error)]).toEqual(['unavailable', true]);
});

test('a refused value and an unknown table are not transient', async () => {
  const [value, table] = [await errorOf("select 'x'::uuid"), await errorOf('select from ledger.none')];
  expect([kindOf(value), isTransient(value)]).toEqual(['invalid', false]);
  expect([kindOf(table), isTransient(table)]).toEqual(['internal', false]);
});

test('a connection that Citus has lost to another node is unavailable; another error of the same code is internal', () => {
  const lost = (routine: string) =>
    Object.assign(Object.create(postgres.PostgresError.prototype), { code: 'XX000', routine });
  const error = lost('MarkRemoteTransactionFailed');
  expect([kindOf(error), isTransient(error)]).toEqual(['unavailable', true]);
  expect(kindOf(lost('ExecCheckPlanOutput'))).toBe('internal');
});

test.each([
  'ECONNRESET',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'CONNECT_TIMEOUT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
])('a connection that failed with %s is unavailable', (code) =>
  expect(kindOf(Object.assign(new Error(), { code }))).toBe('unavailable'),
);
