/** Something in the database that is not right. */

export interface Finding {
  check: 'schema' | 'account' | 'seal' | 'orphan' | 'index';
  /** One sentence, with the numbers. */
  fact: string;
  /** The host that has it, if there are several. */
  server?: string;
  /** The account whose rows are wrong. */
  accountId?: string;
  expected?: number;
  found?: number;
  /** One sentence for the operator. */
  remedy: string;
}

// data_corrupted, index_corrupted, and undefined_file: what Postgres raises for a damaged file.
const DAMAGED = ['XX001', 'XX002', '58P01'];

/** The message of an error that a damaged file causes. @throws any other error */
export function damageIn(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined || message === undefined || !DAMAGED.includes(code)) throw error;
  return message;
}
