/**
 * The demo account: one source of each type and a key, made on the first start and found again on the next.
 *
 * A program of its own, called with the address of the Admin service and a file, which prints the account as JSON: a
 * process that has seen no node_modules when it began does not find what it installs there.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type AdminClient, createAdminClient } from '../proto/client.ts';

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

interface Kept {
  accountId: string;
  keyId: string;
  apiKey: string;
}

/**
 * @param file where account and key are kept: only the hash of a key is in the database.
 * @throws grpc-js's ServiceError
 */
async function openDemo({ adminAddress, file }: { adminAddress: string; file: string }): Promise<Demo> {
  const admin = createAdminClient(adminAddress);
  try {
    const kept = readKept(file);
    const { accountId, apiKey } =
      kept && (await isValid(admin, kept)) ? kept : await createAccount(admin, file);
    return { accountId, apiKey, ukPropertyId: await ensureSources(admin, accountId) };
  } finally {
    admin.close();
  }
}

/** The database may be another one than last time, and the key may have been revoked. */
async function isValid(admin: AdminClient, { accountId, keyId }: Kept): Promise<boolean> {
  const NOT_FOUND = 5;
  const { keys } = await admin.listKeys({ accountId }).catch((error) => {
    if (error.code === NOT_FOUND) return { keys: [] };
    throw error;
  });
  return keys.some((key) => key.keyId === keyId && !key.revokedAt);
}

async function createAccount(admin: AdminClient, file: string): Promise<Kept> {
  const { accountId } = await admin.createAccount({ plan: 'pro' });
  const { keyId, key } = await admin.createKey({ accountId });
  const kept: Kept = { accountId, keyId, apiKey: key };
  const temporary = `${file}.new`;
  writeFileSync(temporary, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
  return kept;
}

/** Makes the sources that the account lacks. Returns the id of its UK property. */
async function ensureSources(admin: AdminClient, accountId: string): Promise<string> {
  const { sources } = await admin.listAccountSources({ accountId });
  const inUse = sources.filter((source) => !source.removedAt);
  for (const wanted of SOURCES) {
    if (inUse.some((source) => source.type === wanted.type)) continue;
    inUse.push(await admin.createSource({ accountId, role: 'owner', sharePercent: 100, ...wanted }));
  }
  return inUse.find((source) => source.type === 'uk-property')?.id ?? '';
}

function readKept(file: string): Kept | undefined {
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
