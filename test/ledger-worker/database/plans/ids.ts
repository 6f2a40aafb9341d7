/** The ids and keys of the million entries, made from their numbers as million-entries.sql makes them. */
import { hashApiKey } from '../../../../proto/api-key.ts';

const KINDS = { account: 1, source: 2, key: 3, entry: 4, action: 5 };

function id(kind: keyof typeof KINDS, number: number): string {
  return `${String(KINDS[kind]).padStart(8, '0')}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

export const accountId = (account: number) => id('account', account);
/** One of 0, 1 and 2: UK property, foreign property, self-employment. */
export const sourceId = (account: number, n: number) => id('source', account * 3 + n);
/** 0 to 4, and 4 is revoked. */
export const keyId = (account: number, n: number) => id('key', account * 5 + n);
export const keyHash = (account: number, n: number) => hashApiKey(`key-${account}-${n}`);
export const entryId = (number: number) => id('entry', number);
/** 0 to 9 */
export const actionId = (account: number, n: number) => id('action', account * 10 + n);
