/** Sockets to the database that are lost at an inconvenient moment. */
import { expect, test } from 'bun:test';
import { openDatabase } from '../../../ledger-worker/database/connection.ts';
import { DatabaseSocket } from '../../../ledger-worker/database/socket.ts';
import { system } from '../../fixtures/system.ts';
import { startTcpServer } from '../../fixtures/tcp-server.ts';

/** A database of one connection, and the sockets that it has opened. */
function openOne() {
  const url = system.databaseUrl.split(',')[0] as string;
  const sql = openDatabase({ url, poolMax: 1, statementTimeoutMs: 0 });
  const options = sql.options as unknown as { socket: () => DatabaseSocket };
  const { socket } = options;
  const opened: DatabaseSocket[] = [];
  options.socket = () => {
    const created = socket();
    opened.push(created);
    return created;
  };
  return { sql, opened };
}

test.each([1, 900])(
  'a connection that closes with a statement of %i bytes in the write buffer leaves the next one usable',
  async (size) => {
    const { sql, opened } = openOne();
    const read = () => sql`select length(${'x'.repeat(size)}::text)`;
    expect(await read()).toHaveLength(1);
    const [socket] = opened as [DatabaseSocket];
    const lost = new Promise((resolve) => {
      const emit = socket.emit.bind(socket);
      socket.emit = (event: string, ...args: unknown[]) => {
        if (event !== 'close') return emit(event, ...args);
        read().then(
          () => resolve('sent'),
          ({ code }) => resolve(code),
        );
        // The library has buffered the statement by then, and would send it in the next turn of the event loop.
        void Promise.resolve()
          .then(() => {})
          .then(() => emit(event, ...args));
        return true;
      };
    });
    socket.destroy();
    expect(await lost).toBe('CONNECTION_CLOSED');
    expect(await read()).toHaveLength(1);
    await sql.end();
  },
);

test('a statement that begins between the error of a connection and its close has an outcome', async () => {
  const { sql, opened } = openOne();
  const read = () => sql`select 1 as one`;
  await read();
  const [socket] = opened as [DatabaseSocket];
  const begun = new Promise((resolve) => {
    socket.once('error', () => queueMicrotask(() => read().then(resolve, resolve)));
  });
  socket.destroy(new Error('lost'));
  // The library has opened another connection for it.
  expect(await begun).toEqual([{ one: 1 }]);
  await sql.end();
});

test('a socket that is destroyed before it has connected stays so', async () => {
  let connections = 0;
  const server = await startTcpServer(() => connections++);
  const target = { host: '127.0.0.1', port: server.port };
  const [destroyed, used] = [new DatabaseSocket(target), new DatabaseSocket(target)];
  setImmediate(() => {
    for (const socket of [destroyed, used]) socket.write('a message');
  });
  destroyed.destroy();
  await new Promise((resolve) => used.once('connect', resolve));
  used.destroy();
  expect(connections).toBe(1);
  server.close();
});

test.each([
  ['all listeners', []],
  ["the listeners of 'error'", ['error']],
] as const)('a socket ignores its errors after %s are removed', (_, events) => {
  const socket = new DatabaseSocket({ path: '/nowhere' });
  const heard: string[] = [];
  for (const event of ['error', 'close']) socket.on(event, () => heard.push(event));
  socket.removeAllListeners(...events);
  socket.emit('error', new Error('late'));
  socket.emit('close');
  expect(heard).toEqual(events.length === 0 ? [] : ['close']);
});
