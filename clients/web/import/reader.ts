/** Reads files in a worker: 20,000 rows take longer than a person should wait for a response of the page. */
import { ImportError } from '../../typescript/import/import-error.ts';
import type { ImportOptions } from '../../typescript/import/options.ts';
import type { ImportResult } from '../../typescript/import/result.ts';
import type { PostedError, ReaderRequest, ReaderResponse } from './reader-worker.ts';

/** @throws ImportError */
export type Reader = (options?: ImportOptions) => Promise<ImportResult>;
/** What reads one file again and again. */
export type ReaderOf = (bytes: Uint8Array) => Reader;

interface Waiting {
  resolve(result: ImportResult): void;
  reject(error: ImportError): void;
}

/** @param url of the script of the worker */
export function readerIn(url: string): ReaderOf {
  const waiting = new Map<number, Waiting>();
  let [requests, files] = [0, 0];
  const settle = (id: number, { result, problem }: Omit<ReaderResponse, 'id'>) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (result) resolve?.(result);
    else reject?.(importErrorOf(problem ?? READER_FAILED));
  };
  const start = (): Worker => {
    const worker = new Worker(scriptUrl(url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<ReaderResponse>) => settle(data.id, data));
    // Its script could not be loaded, or it has crashed.
    worker.addEventListener('error', () => {
      worker.terminate();
      if (current === worker) current = undefined;
      for (const id of [...waiting.keys()]) settle(id, { problem: NOT_LOADED });
    });
    return worker;
  };
  // At once: a file can be read also if the network is lost later.
  let current: Worker | undefined = start();
  return (bytes) => {
    const file = ++files;
    return (options) => {
      const id = ++requests;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        current ??= start();
        current.postMessage({ id, file, bytes, options } satisfies ReaderRequest);
      });
    };
  };
}

const READER_FAILED: PostedError = {
  code: 'unreadable_file',
  message: 'The file cannot be read.',
  option: undefined,
};
const NOT_LOADED: PostedError = {
  ...READER_FAILED,
  message:
    'The part of the page that reads files could not be loaded. Check your connection, load the page again, and choose the file again.',
};

function importErrorOf({ code, message, option, ...found }: PostedError): ImportError {
  return Object.assign(new ImportError(code, message, option), found);
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string;
  };
}

/** The page's security policy allows no other text as the address of a script, in browsers that know such policies. */
function scriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('reader', { createScriptURL: () => url }).createScriptURL('') ?? url;
}
