/** Reads files for `reader.ts` beside the page, so that the page responds meanwhile. */
import {
  ImportError,
  type ImportOptions,
  type ImportResult,
  importFileReader,
} from '../../typescript/import/index.ts';

export interface ReaderRequest {
  id: number;
  /** Requests with the same number are of the same bytes. */
  file: number;
  bytes: Uint8Array;
  options: ImportOptions | undefined;
}

/** An error loses its class and its fields on the way. */
export type PostedError = Pick<
  ImportError,
  'code' | 'message' | 'option' | 'table' | 'questions' | 'keptNote'
>;

/** With neither, the reader failed in a way that it does not foresee. */
export interface ReaderResponse {
  id: number;
  result?: ImportResult;
  problem?: PostedError;
}

/** Reading a file again takes a fraction of the time. The oldest go first. */
const readers = new Map<number, ReturnType<typeof importFileReader>>();
const READERS_MAX = 20;

addEventListener('message', async ({ data }: MessageEvent<ReaderRequest>) => {
  const { id, file, bytes, options } = data;
  const read = readers.get(file) ?? importFileReader(bytes);
  readers.delete(file);
  readers.set(file, read);
  for (const oldest of readers.keys()) if (readers.size > READERS_MAX) readers.delete(oldest);
  postMessage(await responseOf(id, read(options)));
});

async function responseOf(id: number, reading: Promise<ImportResult>): Promise<ReaderResponse> {
  try {
    return { id, result: await reading };
  } catch (error) {
    if (!(error instanceof ImportError)) return { id };
    const { code, message, option, table, questions, keptNote } = error;
    const asked = { ...(table && { table }), ...(questions && { questions }), ...(keptNote && { keptNote }) };
    return { id, problem: { code, message, option, ...asked } };
  }
}
