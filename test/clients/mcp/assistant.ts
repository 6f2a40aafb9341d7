/** A client of the server for assistants, through the official SDK, and the folder whose files it may read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { serverOptions } from '../../../clients/mcp/options.ts';
import { createServer } from '../../../clients/mcp/server.ts';
import { ROOT } from '../../fixtures/checkout.ts';
import type { Json } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';

const home = mkdtempSync(join(tmpdir(), 'ledger-mcp-'));
process.once('exit', () => rmSync(home, { recursive: true, force: true }));

/** A new folder for files. */
export const newFolder = () => mkdtempSync(join(home, 'folder-'));

/** Compiles a schema once in a run: the schemas of all tools take a quarter of a second. */
class Validators extends AjvJsonSchemaValidator {
  readonly #compiled = new Map<string, JsonSchemaValidator<unknown>>();

  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    const validator = this.#compiled.get(text) ?? super.getValidator(schema);
    this.#compiled.set(text, validator);
    return validator as JsonSchemaValidator<T>;
  }
}
const jsonSchemaValidator = new Validators();

export interface ToolResult {
  isError: boolean;
  /** The structured content; of an error, the text. */
  value: Json;
  /** All that the client gets. */
  text: string;
}

export interface Assistant {
  call(name: string, args?: object, signal?: AbortSignal): Promise<ToolResult>;
  /** The structured content. @throws Error when the call fails */
  do(name: string, args?: object): Promise<Json>;
  client: Client;
  /** What a process has written to standard error. */
  err(): string;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface AssistantOptions {
  folder?: string;
  /** More arguments of the server. */
  args?: string[];
  env?: Record<string, string>;
  /** Starts the server as a process. Without it, it runs in this one. */
  command?: [string, ...string[]];
}

/** Starts a server of its own. Its environment has the key, as that of a real client does. */
export async function startAssistant(key: string, options: AssistantOptions = {}): Promise<Assistant> {
  const { folder, command: [command, ...more] = [] } = options;
  const args = [...(options.args ?? []), ...(folder === undefined ? [] : ['--folder', folder])];
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    LEDGER_URL: system.url,
    LEDGER_API_KEY: key,
    ...options.env,
  };
  let written = '';
  let transport: Transport;
  if (command === undefined) {
    const server = serverOptions(args, { env, execArgv: ['--no-env-file'], cwd: () => home });
    if (!server) throw new Error('the server shows its help');
    const [near, far] = InMemoryTransport.createLinkedPair();
    await createServer(server).connect(far);
    transport = near;
  } else {
    const stdio = { command, args: [...more, ...args], env, cwd: ROOT, stderr: 'pipe' as const };
    const child = new StdioClientTransport(stdio);
    child.stderr?.on('data', (chunk) => {
      written += chunk;
    });
    transport = child;
  }
  const client = new Client({ name: 'test', version: '1' }, { jsonSchemaValidator });
  await client.connect(transport);
  // From here on the client checks each result against the schema of its tool.
  await client.listTools();
  const call = async (name: string, args: object = {}, signal?: AbortSignal): Promise<ToolResult> => {
    const result = await client.callTool({ name, arguments: { ...args } }, undefined, signal && { signal });
    const [first] = result.content as { text: string }[];
    const isError = result.isError === true;
    return {
      isError,
      value: isError ? (first?.text ?? '') : result.structuredContent,
      text: JSON.stringify(result),
    };
  };
  return {
    call,
    async do(name, args) {
      const { isError, value } = await call(name, args);
      if (isError) throw new Error(`${name} failed: ${value}`);
      return value;
    },
    client,
    err: () => written,
    [Symbol.asyncDispose]: () => client.close(),
  };
}
