#!/usr/bin/env node
/** `ledger-mcp`: a server of the Model Context Protocol on standard input and output, for assistants. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { printable } from '../../platform/terminal.ts';
import { BoundedLines } from './bounded-lines.ts';
import { serverOptions } from './options.ts';
import { createServer } from './server.ts';

const USAGE = `Usage: ledger-mcp [--read-only] [--folder <path>] [--profile <name>] [--text] [--insecure]

Serves the Model Context Protocol on standard input and output. docs/assistants.md describes it.

  --read-only       no tool creates entries
  --folder <path>   the folder whose files the assistant may read (default: none)
  --profile <name>  the stored login to use (default: LEDGER_PROFILE, or "default")
  --text            give rows in the text of results, for clients that show the assistant nothing else
  --insecure        send the key to another machine without encryption

The service is found by LEDGER_URL (default http://localhost:3000), the key by LEDGER_API_KEY or \`ledger login\`.
`;

// A commit continues if the client ends.
process.stdout.on('error', () => {});

try {
  const options = serverOptions(process.argv.slice(2), process);
  const lines = new BoundedLines((line) => process.stdout.write(line));
  if (options) await createServer(options).connect(new StdioServerTransport(process.stdin.pipe(lines)));
  else process.stderr.write(USAGE);
} catch (error) {
  process.stderr.write(`${printable(`ledger-mcp: ${(error as Error).message}`)}\n`);
  process.exitCode = 2;
}
