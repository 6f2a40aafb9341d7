/** Adds tools: checks arguments and results, bounds the time of a call, and turns errors into texts without internals. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { printable } from '../../platform/terminal.ts';
import type { Pause } from '../typescript/index.ts';
import { messageOf, ToolError } from './errors.ts';
import { isList, type Pages } from './pages.ts';

/** The signal and the observer of a call, which every request of it gets. */
export interface Call {
  /** Aborted when the client cancels the call, when it takes too long, or when a limit would delay it for too long. */
  signal: AbortSignal;
  onPause: (pause: Pause | undefined) => void;
}

interface Definition<Input extends z.ZodRawShape, Output extends z.ZodRawShape> {
  title: string;
  description: string;
  input: Input;
  output: Output;
  /** Whether it creates entries. */
  isWrite?: boolean;
}

export type AddTool = ReturnType<typeof toolAdder>;

// Below the timeout of clients of the SDK, 60 s.
const CALL_MS_MAX = 45_000;

/** Every key begins with `ledger_live_`. */
const KEY_SHOWN_MAX = 16;

interface ToolOptions {
  /** Appears in no result: a file that the operator allows may contain it. */
  apiKey: string;
  /** Whether tools that create entries are left away. */
  isReadOnly: boolean;
  /** Gives the rows of lists in the text, to clients that show an assistant nothing else. */
  isText: boolean;
  pages: Pages;
}

/** Returns the function that adds a tool to the server. */
export function toolAdder(server: McpServer, { apiKey, isReadOnly, isText, pages }: ToolOptions) {
  // The reader cuts long texts, and may cut the key in one.
  const beginning = apiKey.slice(0, KEY_SHOWN_MAX).replace(/\W/g, '\\$&');
  const key = new RegExp(`${beginning}[\\w-]*`, 'g');
  const shown = (text: string) => text.replace(key, '[API key]').split('\n').map(printable).join('\n');
  return function addTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
    name: string,
    { title, description, input, output, isWrite = false }: Definition<Input, Output>,
    run: (args: z.infer<z.ZodObject<Input>>, call: Call) => Promise<z.infer<z.ZodObject<Output>>>,
  ): void {
    if (isReadOnly && isWrite) return;
    const outputSchema = z.object(output);
    const config = {
      title,
      description,
      // Unknown arguments are errors, so that an assistant learns of an invented one.
      inputSchema: z.strictObject(input) as z.ZodObject,
      ...(!isText && { outputSchema: outputSchema as z.ZodObject }),
      // A write cannot be undone, so it is marked destructive: clients then ask a person to confirm.
      annotations: {
        readOnlyHint: !isWrite,
        destructiveHint: isWrite,
        idempotentHint: true,
        openWorldHint: false,
      },
    };
    server.registerTool(name, config, async (args, { signal }) => {
      const call = startCall(signal);
      try {
        const whole = outputSchema.parse(await run(args as z.infer<z.ZodObject<Input>>, call));
        const result = pages.firstOf(withTexts(whole, shown));
        const text = JSON.stringify(result, isText ? undefined : withoutRows);
        return { content: [{ type: 'text', text }], ...(!isText && { structuredContent: result }) };
      } catch (error) {
        return { content: [{ type: 'text', text: shown(messageOf(error)) }], isError: true };
      } finally {
        call.end();
      }
    });
  };
}

/** The value, with each text in it as `show` returns it. */
const withTexts = <Value>(value: Value, show: (text: string) => string): Value =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'string' ? show(each) : each)));

/** The rows are in the structured content, and not once more in the text. */
const withoutRows = (_: string, value: unknown) =>
  isList(value) && value.rows.length > 0 ? { ...value, rows: 'in structuredContent' } : value;

function startCall(cancelled: AbortSignal): Call & { end: () => void } {
  const stop = new AbortController();
  const until = Date.now() + CALL_MS_MAX;
  const late = setTimeout(() => {
    stop.abort(
      new ToolError(`This took longer than ${CALL_MS_MAX / 1_000} s. Try again, or with a shorter period.`),
    );
  }, CALL_MS_MAX);
  const cancel = () => stop.abort(new ToolError('The call was cancelled.'));
  cancelled.addEventListener('abort', cancel);
  return {
    signal: stop.signal,
    onPause: (pause) => {
      if (pause && pause.until.getTime() > until) stop.abort(new ToolError(pauseMessage(pause)));
    },
    end: () => {
      clearTimeout(late);
      cancelled.removeEventListener('abort', cancel);
    },
  };
}

function pauseMessage({ reason, until }: Pause): string {
  const seconds = Math.ceil((until.getTime() - Date.now()) / 1_000);
  const what = {
    minute_limit: 'The key has used its requests of this minute',
    daily_cap: 'The account has reached its daily cap of new entries',
    unavailable: 'The service is unavailable',
  }[reason];
  return `${what}. Try again in ${seconds} s.`;
}
