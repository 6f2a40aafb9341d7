/**
 * The demo account: an API key and one source of each type. The first start creates it, later starts use it again.
 *
 * A separate program, because a Bun process does not find packages that were installed after it started. Its arguments
 * are the address of the Admin service and a file; it prints the account as JSON.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type AdminClient, createAdminClient } from '../proto/admin-client.ts';

const SOURCES = [
  { type: 'uk-property', name: '12 Acacia Avenue' },
  { type: 'foreign-property', name: 'Casa do Mar', countryCode: 'PT' },
  { type: 'self-employment', name: 'Garden design' },
];

export interface Demo {
  accountId: string;
  apiKey: string;
  ukPropertyId: string;
}

interface SavedAccount {
  accountId: string;
  keyId: string;
  apiKey: string;
}

/**
 * @param file stores the account's id and its key, because the database has only the hash of a key.
 * @throws grpc-js's ServiceError
 */
async function openDemo({ adminAddress, file }: { adminAddress: string; file: string }): Promise<Demo> {
  const admin = createAdminClient(adminAddress);
  try {
    const saved = readSavedAccount(file);
    const { accountId, apiKey } =
      saved && (await isValid(admin, saved)) ? saved : await createAccount(admin, file);
    return { accountId, apiKey, ukPropertyId: await ensureSources(admin, accountId) };
  } finally {
    admin.close();
  }
}

/** False if the database is another one than at the last start, or if the key has been revoked. */
async function isValid(admin: AdminClient, { accountId, keyId }: SavedAccount): Promise<boolean> {
  const NOT_FOUND = 5;
  const { keys } = await admin.listKeys({ accountId }).catch((error) => {
    if (error.code === NOT_FOUND) return { keys: [] };
    throw error;
  });
  return keys.some((key) => key.keyId === keyId && !key.revokedAt);
}

async function createAccount(admin: AdminClient, file: string): Promise<SavedAccount> {
  const { accountId } = await admin.createAccount({ plan: 'pro' });
  const { keyId, key } = await admin.createKey({ accountId });
  const saved: SavedAccount = { accountId, keyId, apiKey: key };
  const temporary = `${file}.new`;
  writeFileSync(temporary, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
  return saved;
}

/** Creates the missing sources of the account. Returns the id of its UK property. */
async function ensureSources(admin: AdminClient, accountId: string): Promise<string> {
  const { sources } = await admin.listAccountSources({ accountId });
  const inUse = sources.filter((source) => !source.removedAt);
  for (const wanted of SOURCES) {
    if (inUse.some((source) => source.type === wanted.type)) continue;
    inUse.push(await admin.createSource({ accountId, role: 'owner', sharePercent: 100, ...wanted }));
  }
  return inUse.find((source) => source.type === 'uk-property')?.id ?? '';
}

function readSavedAccount(file: string): SavedAccount | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const [adminAddress = '', file = ''] = process.argv.slice(2);
  console.log(JSON.stringify(await openDemo({ adminAddress, file })));
}
