/** The output of `bun run start` once everything serves: the banner on the terminal and the ready file for programs. */
import { renameSync, writeFileSync } from 'node:fs';
import type { Demo } from './demo-account.ts';
import type { System } from './system.ts';

// The default of "bun run admin".
const DEFAULT_ADMIN_ADDRESS = '127.0.0.1:50052';

export function banner(system: System, demo: Demo, dataDir: string): string {
  const entry = {
    date: new Date().toISOString().slice(0, 10),
    type: 'income',
    amountPence: 95000,
    category: 'periodAmount',
    description: 'Rent',
    externalRef: 'demo-rent-1',
  };
  const transactions = `${system.url}/api/v1/sources/${demo.ukPropertyId}/transactions`;
  const key = `-H 'Authorization: Bearer ${demo.apiKey}'`;
  const isDefault = system.adminAddress === DEFAULT_ADMIN_ADDRESS;
  return `
The ledger is ready.

  Import   ${system.url}/import (a page that pushes bank exports and spreadsheets)
  API      ${system.url}/api/v1
  Docs     ${system.url}/api/v1/docs
  API key  ${demo.apiKey}
  Admin    ${system.adminAddress}${isDefault ? '' : ` (export LEDGER_ADMIN_ADDRESS=${system.adminAddress} for "bun run admin")`}
  Data     ${dataDir} (logs in ${dataDir}/logs)

The command \`bun run ledger\` and the samples of the docs take the address and the API key from the environment:

export LEDGER_URL=${system.url}
export LEDGER_API_KEY=${demo.apiKey}

Record a month's rent, and read it back:

curl -sS ${key} -H 'Content-Type: application/json' -d '${JSON.stringify(entry)}' ${transactions}

curl -sS ${key} ${transactions}

Ctrl-C stops everything.
`;
}

/** Renames a finished file into place, so that a reader never sees half of it. */
export function writeReadyFile(file: string, system: System, { apiKey, accountId }: Demo): void {
  const { url, workerAddress, adminAddress } = system;
  const ready = { url, apiKey, accountId, workerAddress, adminAddress };
  const temporary = `${file}.${process.pid}.new`;
  writeFileSync(temporary, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}
