/** The requests of the command line to the worker's Admin service. */
import { hostname, userInfo } from 'node:os';
import type { ServiceError } from '@grpc/grpc-js';
import { fixedCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { clientSecurity } from '../platform/mutual-tls.ts';
import { type AdminClient, createAdminClient } from '../proto/admin-client.ts';
import type { Config } from './config.ts';
import { explain, show, type Terminal } from './output.ts';

const ACCOUNTS_PER_PAGE = 500;

/** Sends a request to the Admin service. @throws Error with a message for the operator */
export async function call<Response>(
  { LEDGER_ADMIN_ADDRESS: address, ...config }: Config,
  request: (admin: AdminClient) => Promise<Response>,
): Promise<Response> {
  const files = mutualTlsFiles(config);
  const security = clientSecurity(address, files && fixedCertificates(files));
  const admin = createAdminClient(address, operator(), security);
  try {
    return await request(admin);
  } catch (error) {
    throw new Error(explain(error as ServiceError, address));
  } finally {
    admin.close();
  }
}

/**
 * Creates a key for each account id on standard input. Prints it as one line of JSON at once: a later line that fails loses no key.
 * @throws Error that names the first line that failed
 */
export async function createKeys(config: Config, readOnly: boolean, terminal: Terminal): Promise<void> {
  let line = 0;
  try {
    await call(config, async (admin) => {
      for await (const text of terminal) {
        line++;
        const accountId = text.trim();
        if (accountId === '') continue;
        show({ accountId, ...(await admin.createKey({ accountId, readOnly })) }, { terminal, json: true });
      }
    });
  } catch (error) {
    throw new Error(`line ${line}, after which nothing was created: ${(error as Error).message}`);
  }
}

/** The name of the operator in the action log. */
function operator(): string {
  // Bun takes the name from $USER alone, and returns `unknown` without it. In a container, a user id may have no name.
  const { username, uid } = userInfo();
  return `${username === 'unknown' ? `uid ${uid}` : username}@${hostname()}`;
}

export async function listEveryAccount(admin: AdminClient) {
  const all = [];
  for (let after: string | undefined; ; ) {
    const { accounts } = await admin.listAccounts({ limit: ACCOUNTS_PER_PAGE, ...given({ after }) });
    all.push(...accounts);
    after = accounts.at(-1)?.accountId;
    if (accounts.length < ACCOUNTS_PER_PAGE) return all;
  }
}

/** `fields` without the undefined ones. */
export function given<Fields extends object>(fields: Fields) {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
