/** The accounts of a run, each with its own books, and invalid keys of every kind. */
import fc from 'fast-check';
import { mintApiKey } from '../../ledger-worker/admin/keys.ts';
import { rowsOf } from '../fixtures/books.ts';
import { TestAccount } from '../fixtures/client.ts';
import { admin } from '../fixtures/system.ts';

interface Member {
  account: TestAccount;
  /** A text in the books of this account, which must not be in a response to another one. */
  marker: string;
  /** What the books had at first. */
  rows: Awaited<ReturnType<typeof rowsOf>>;
  /** Cursors of the UK property; `filtered` is for from=2020-01-01. Both lists have further pages. */
  cursors: { plain: string; filtered: string };
}

export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld(size: number) {
  const members = await Promise.all(Array.from({ length: size }, (_, index) => newMember(index)));
  const member = (index: number) => members[index % members.length] as Member;
  return { members, member, badKeys: await newBadKeys() };
}

/** The index of some account. */
export function anyMember(world: World): fc.Arbitrary<number> {
  return fc.nat({ max: world.members.length - 1 });
}

async function newMember(index: number): Promise<Member> {
  const account = await TestAccount.create();
  const marker = `books-of-${index}-${Bun.randomUUIDv7()}`;
  for (const source of Object.values(account.sources)) {
    const entries = [1, 2, 3].map((amountPence) => ({
      date: '2026-04-06',
      type: 'income',
      amountPence,
      description: marker,
    }));
    await account.post(entries, { source });
  }
  const cursorOf = async (query: object) => (await account.page({ limit: 1, ...query })).body.nextCursor;
  const cursors = { plain: await cursorOf({}), filtered: await cursorOf({ from: '2020-01-01' }) };
  const rows = await rowsOf(account.accountId);
  if (rows.length !== 9) throw new Error('the first entries of an account are missing');
  return { account, marker, rows, cursors };
}

/**
 * Keys without access to the books of a member, although each has a valid shape and checksum; `free` is of an account whose plan has no
 * API access.
 */
async function newBadKeys() {
  const { accountId } = await TestAccount.create();
  const { key: revoked, keyId } = await admin.createKey({ accountId });
  await admin.revokeKey({ keyId });
  const { key: free } = await TestAccount.create('free');
  const { key: readOnly } = await admin.createKey({ accountId, readOnly: true });
  return { unknown: mintApiKey('ledger'), revoked, free, readOnly };
}
