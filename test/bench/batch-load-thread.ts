/** The thread of batch-load.ts. */
import type { Account } from './accounts.ts';
import { httpConnection } from './http-load.ts';
import { worstBatch } from './worst-batch.ts';

export type Command = { clients: number; accounts: readonly Account[] } | { url: string } | 'stop';

export interface Report {
  batches: number;
  failures: Record<string, number>;
}

declare const self: Worker;

let clients = 0;
let accounts: readonly Account[] = [];
let next = 0;
let isStopping = false;
let running: Promise<Report> = Promise.resolve({ batches: 0, failures: {} });

self.onmessage = async ({ data }: MessageEvent<Command>) => {
  if (data === 'stop') {
    isStopping = true;
    self.postMessage(await running);
  } else if ('url' in data) {
    isStopping = false;
    running = send(data.url);
  } else {
    ({ clients, accounts } = data);
  }
};

/** A closed loop, until it is stopped. */
async function send(url: string): Promise<Report> {
  const connections = await Promise.all(Array.from({ length: clients }, () => httpConnection(url)));
  const failures: Record<string, number> = {};
  let batches = 0;
  const exchange = (connection: (typeof connections)[number]) =>
    new Promise<void>((resolve) => {
      const request = worstBatch(accounts[next++ % accounts.length] as Account);
      connection.send(request, (result) => {
        batches++;
        if (result !== request.expected)
          failures[`batch: ${result}`] = (failures[`batch: ${result}`] ?? 0) + 1;
        resolve();
      });
    });
  const client = async (connection: (typeof connections)[number]) => {
    while (!isStopping) await exchange(connection);
    connection.close();
  };
  const ended = connections.map(client);
  self.postMessage('started');
  await Promise.all(ended);
  return { batches, failures };
}
