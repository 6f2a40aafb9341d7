/** The connection of the page: the key, which is only ever in this memory, and the account and sources that it leads to. */
import { lastFailureOf } from '../../typescript/errors.ts';
import { type Account, Ledger, LedgerError, type Source } from '../../typescript/index.ts';

export interface Session {
  ledger: Ledger;
  account: Account;
  sources: Source[];
}

/** How long a failing service is tried again before the visitor is told. */
const RETRY_MS_MAX = 5_000;

/**
 * @param url of the service
 * @throws LedgerError
 */
export async function openSession(url: string, apiKey: string): Promise<Session> {
  // The page has come the same way as its requests go.
  const connection = { url, apiKey, insecure: true };
  let ledger: Ledger;
  let first: Ledger;
  try {
    ledger = new Ledger(connection);
    first = new Ledger({ ...connection, retryTimeoutMs: RETRY_MS_MAX });
  } catch {
    throw new LedgerError('invalid_key', 'The key has spaces or other characters that no key has.');
  }
  return { ledger, account: await first.me(), sources: await first.sources() };
}

/** The fault of the key, and the remedy. */
export function keyProblem(failure: unknown): string {
  const error = lastFailureOf(failure);
  if (!(error instanceof LedgerError)) return 'The page failed. Reload it and try again.';
  switch (error.code) {
    case 'invalid_key':
      return 'This key is not valid. Copy it again, in full; if it was revoked or lost, make a new one.';
    case 'upgrade_required':
      return 'The plan of this account has no API access. Change the plan in the app, then try again.';
    case 'rate_limited':
      return 'This key has used its 120 requests of the minute. Wait a minute and try again.';
    case 'unreachable':
      return 'The service cannot be reached. Check your connection and try again.';
    case 'not_found':
      return 'The API is switched off here. Ask the people who run this service.';
    default:
      return `${error.message} Try again in a moment.`;
  }
}

/** Why the session cannot import; undefined if it can. */
export function readOnlyNotice({ account }: Session): string | undefined {
  if (account.capabilities.writeBookkeeping) return undefined;
  return 'This key reads only: it opens Books, and cannot import. To import, connect with a key that can write.';
}

/** Whether the key has stopped working, so that another one is needed. */
export function isKeyRefused(error: unknown): boolean {
  const last = lastFailureOf(error);
  return last instanceof LedgerError && (last.status === 401 || last.code === 'upgrade_required');
}

const TYPE_NAMES: Record<string, string> = {
  'uk-property': 'UK property',
  'foreign-property': 'Overseas property',
  'self-employment': 'Self-employment',
};

/** The name of a type of source for people. */
export const sourceTypeName = (type: Source['type']): string => TYPE_NAMES[type] ?? type;
