/** Ways in which a client loses its right to write to a source. */
import type { TestAccount } from './client.ts';
import { admin } from './system.ts';

export const ACCESS_LOST: [what: string, lose: (account: TestAccount) => Promise<void>][] = [
  [
    'the source is removed',
    async ({ sources }) => void (await admin.removeSource({ id: sources['uk-property'] })),
  ],
  [
    'the key is revoked',
    async ({ accountId }) => {
      const { keys } = await admin.listKeys({ accountId });
      for (const { keyId } of keys) await admin.revokeKey({ keyId });
    },
  ],
  [
    'the plan is set to free',
    async ({ accountId }) => void (await admin.setPlan({ accountId, plan: 'free' })),
  ],
  ['the account is deleted', async ({ accountId }) => void (await admin.deleteAccount({ accountId }))],
];
