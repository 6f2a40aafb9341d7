/** The messages on standard input, one on each line. The SDK would end without a word at a line above its limit. */
import { Transform, type TransformCallback } from 'node:stream';

const LINE_MIB_MAX = 8;
/** Enough for the members of a request before and after its parameters. */
const END_BYTES = 1_000;
const LINE_FEED = 0x0a;

/** Passes whole lines on. Drops a line above the limit, and answers it with an error. */
export class BoundedLines extends Transform {
  readonly #answer: (line: string) => void;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(answer: (line: string) => void) {
    super();
    this.#answer = answer;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      this.#add(chunk.subarray(start, end + 1));
      this.#endLine();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    done();
  }

  #add(part: Buffer): void {
    this.#chunks.push(part);
    this.#size += part.length;
    if (!this.#isLong()) return;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all.subarray(0, END_BYTES), all.subarray(-END_BYTES)].map((each) => Buffer.from(each));
  }

  #endLine(): void {
    const line = Buffer.concat(this.#chunks);
    if (this.#isLong()) this.#answer(tooLong(line.toString()));
    else this.push(line);
    this.#chunks = [];
    this.#size = 0;
  }

  #isLong = () => this.#size > LINE_MIB_MAX * 2 ** 20;
}

const ID = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d+)';
const AT_THE_BEGINNING = new RegExp(`^\\s*\\{\\s*(?:"(?:jsonrpc|method)"\\s*:\\s*"[^"]*"\\s*,\\s*)*${ID}`);
const AT_THE_END = new RegExp(`${ID}\\s*\\}\\s*$`);

/** @param ends both ends of the message */
function tooLong(ends: string): string {
  const [, id = 'null'] = AT_THE_BEGINNING.exec(ends) ?? AT_THE_END.exec(ends) ?? [];
  const message = `The message has more than ${LINE_MIB_MAX} MiB, and was not read. Paste the rows of a shorter period, or have a file previewed. The previews are kept.`;
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: -32600, message })}}\n`;
}
