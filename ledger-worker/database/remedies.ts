/** The way out of each reason why the database of DATABASE_URL cannot be used, by SQLSTATE or by the text of the error. */
import type { Remedies } from '../../platform/remedies.ts';

export const DATABASE_REMEDIES: Remedies = [
  [/^28P01/, 'correct user and password, which may be in PGPASSWORD'],
  [/^28000.*no encryption/, 'add sslmode=verify-full, or allow the user in the pg_hba.conf of the server'],
  [/^28/, 'correct the user, or allow it in the pg_hba.conf of the server'],
  [/^3D000/, 'correct the name of the database, or create it'],
  [/^42704 unrecognized|^08P01 unsupported startup/, 'remove the option, or let the pooler ignore it'],
  [
    /^42501/,
    'run `bun run migrate` as the owner of the schema; a worker needs that owner, or MIGRATE=never and the role ledger_worker',
  ],
  [/^53300/, 'raise max_connections or the limit of the role, or lower DATABASE_POOL_MAX of the workers'],
  [/not accept writes/, 'list the primary, or set default_transaction_read_only off'],
  [/secure TLS/, 'the server speaks no TLS, turn it on there or remove sslmode'],
  [/UNABLE_TO|SELF_SIGNED|issuer/, 'set sslrootcert to the file of the authority of its certificate'],
];
