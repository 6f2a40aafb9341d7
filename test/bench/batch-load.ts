/** Clients that send the costliest batches, from a thread of their own: a send of 5 MiB would delay the measured clients. */
import type { Account } from './accounts.ts';
import type { Command, Report } from './batch-load-thread.ts';

export interface BatchLoad {
  /** Begins to send. Returns when each client has sent its first batch. */
  start(url: string): Promise<void>;
  /** Ends after the last response. @returns the number of unexpected responses by result, and of batches */
  stop(): Promise<Report>;
  close(): void;
}

/** @param accounts by the key that a request sends; each sends one batch */
export function openBatchLoad(clients: number, accounts: readonly Account[]): BatchLoad {
  const thread = new Worker(new URL('./batch-load-thread.ts', import.meta.url));
  const post = (command: Command) => thread.postMessage(command);
  const next = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      thread.onmessage = ({ data }) => resolve(data);
      thread.onerror = ({ message }) => reject(new Error(message));
    });
  post({ clients, accounts });
  return {
    async start(url) {
      const started = next<'started'>();
      post({ url });
      await started;
    },
    stop() {
      const report = next<Report>();
      post('stop');
      return report;
    },
    close: () => thread.terminate(),
  };
}
