/** How a tool is added: its arguments and results are checked, a call ends in time, and an error is a text without internals. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Pause } from '../typescript/index.ts';
import { messageOf, ToolError } from './errors.ts';

/** Passed to every request of a call. */
export interface Call {
  /** Aborted when the client cancels the call, when it takes too long, or when a limit would have it wait for too long. */
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

// Below the 60 s that a client of the SDK waits.
const CALL_MS_MAX = 45_000;

/** Every key begins with `ledger_live_`. */
const KEY_SHOWN_MAX = 16;

/** @param apiKey appears in no result: a file that the operator allows may contain it */
export function toolAdder(server: McpServer, apiKey: string) {
  // The reader cuts long texts, and so the key.
  const beginning = apiKey.slice(0, KEY_SHOWN_MAX).replace(/\W/g, '\\$&');
  const hide = (text: string) => text.replace(new RegExp(`${beginning}[\\w-]*`, 'g'), '[API key]');
  return function addTool<Input extends z.ZodRawShape, Output extends z.ZodRawShape>(
    name: string,
    { title, description, input, output, isWrite = false }: Definition<Input, Output>,
    run: (args: z.infer<z.ZodObject<Input>>, call: Call) => Promise<z.infer<z.ZodObject<Output>>>,
  ): void {
    const config = {
      title,
      description,
      // An argument that is not known is an error: an assistant that invents one learns of it.
      inputSchema: z.strictObject(input) as z.ZodObject,
      outputSchema: z.object(output) as z.ZodObject,
      // What cannot be undone counts as destructive: clients then let a person confirm it.
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
        const result = await run(args as z.infer<z.ZodObject<Input>>, call);
        const text = hide(JSON.stringify(result));
        return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
      } catch (error) {
        return { content: [{ type: 'text', text: hide(messageOf(error)) }], isError: true };
      } finally {
        call.end();
      }
    });
  };
}

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
