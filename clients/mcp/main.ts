#!/usr/bin/env node
/** `ledger-mcp`: a server of the Model Context Protocol on standard input and output, for assistants. */
import { realpathSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { usageError } from '../cli/exit.ts';
import { currentProfile, requireOwnEnvironment } from '../cli/profiles.ts';
import { readRules } from '../cli/rules.ts';
import { createServer } from './server.ts';

const USAGE = `Usage: ledger-mcp [--folder <path>] [--profile <name>] [--insecure]

Serves the Model Context Protocol on standard input and output. docs/assistants.md describes it.

  --folder <path>   the folder whose files the assistant may read (default: none)
  --profile <name>  the stored login to use (default: LEDGER_PROFILE, or "default")
  --insecure        send the key to another machine without encryption

The service is found by LEDGER_URL (default http://localhost:3000), the key by LEDGER_API_KEY or \`ledger login\`.
`;

async function main(): Promise<void> {
  const { folder, profile, insecure, help } = parseArgs({
    options: {
      folder: { type: 'string' },
      profile: { type: 'string' },
      insecure: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
  if (help) {
    process.stderr.write(USAGE);
    return;
  }
  requireOwnEnvironment();
  const options = { insecure, ...(profile !== undefined && { profile }) };
  const server = createServer({
    ...currentProfile(options),
    folder: folder === undefined ? undefined : folderAt(folder),
    readRules: async () => (await readRules(options))?.text,
  });
  await server.connect(new StdioServerTransport());
}

/** Its real path, so that what is a link in it cannot lead out of it. @throws CliError */
function folderAt(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw usageError(`--folder takes an existing folder, and ${path} is none.`);
  }
  return realpathSync(path);
}

// The client may end during a commit, which goes on.
process.stdout.on('error', () => {});

try {
  await main();
} catch (error) {
  process.stderr.write(`ledger-mcp: ${(error as Error).message}\n`);
  process.exitCode = 2;
}
