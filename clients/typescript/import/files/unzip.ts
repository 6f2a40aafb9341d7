/** The files of a zip archive. Counts the unpacked bytes, because declared sizes cannot be trusted. */
import { Inflate } from 'fflate';

const END = 0x06054b50;
const END_LENGTH = 22;
const FILE_LENGTH = 46;
const LOCAL_LENGTH = 30;
const COMMENT_LENGTH_MAX = 0xffff;
/** The Zip64 field has the value instead. */
const IN_ZIP64 = 0xffffffff;
/** The most files in an archive. A workbook has a few dozen. */
const FILES_MAX = 2_000;
const STORED = 0;
const DEFLATED = 8;
/** Deflate expands a byte to at most 1,032, and so a slice to at most 17 MB. */
const SLICE_BYTES = 16_384;

interface PackedFile {
  name: string;
  method: number;
  data: Uint8Array;
}

/**
 * The contents of the files that `isWanted`; undefined if they exceed `bytesMax` in all, or are too many.
 * @throws Error unless the bytes are an archive
 */
export function unzip(
  archive: Uint8Array,
  isWanted: (name: string) => boolean,
  bytesMax: number,
): Record<string, Uint8Array> | undefined {
  const files: Record<string, Uint8Array> = {};
  let left = bytesMax;
  let packedLeft = archive.length;
  let count = 0;
  for (const { name, method, data } of packedFiles(archive)) {
    if (!isWanted(name)) continue;
    if (++count > FILES_MAX) return undefined;
    // Files that share bytes would be unpacked repeatedly.
    packedLeft -= data.length;
    if (packedLeft < 0 || (method !== STORED && method !== DEFLATED)) throw new Error('not a usual archive');
    const content = method === STORED ? data : inflated(data, left);
    left -= content?.length ?? Number.POSITIVE_INFINITY;
    if (!content || left < 0) return undefined;
    files[name] = content;
  }
  return files;
}

/** The names of the files of an archive, as many as a workbook can have; none if it cannot be read. */
export function archiveNames(archive: Uint8Array): string[] {
  const names: string[] = [];
  try {
    for (const { name } of packedFiles(archive)) {
      names.push(name);
      if (names.length > FILES_MAX) break;
    }
  } catch {
    // Damaged: the reader of workbooks reports it.
  }
  return names;
}

function* packedFiles(archive: Uint8Array): Generator<PackedFile> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
  const end = endOfDirectory(view);
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    );
    const extra = at + FILE_LENGTH + (nameLength ?? 0);
    const name = new TextDecoder().decode(archive.subarray(at + FILE_LENGTH, extra));
    const { size, offset } = sizeAndOffset(view, at, extra, extra + (extraLength ?? 0));
    const lengths = view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    const start = offset + LOCAL_LENGTH + lengths;
    yield { name, method: view.getUint16(at + 10, true), data: archive.subarray(start, start + size) };
    at = extra + (extraLength ?? 0) + (commentLength ?? 0);
  }
}

/** @throws RangeError when there is none */
function endOfDirectory(view: DataView): number {
  const first = view.byteLength - END_LENGTH;
  for (let at = first; at >= first - COMMENT_LENGTH_MAX; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw new RangeError('not an archive');
}

/** The packed size, and where the file begins. Values that do not fit are in the Zip64 field, in the order of the directory. */
function sizeAndOffset(view: DataView, at: number, extra: number, extraEnd: number) {
  const values = [24, 20, 42].map((field) => view.getUint32(at + field, true));
  for (let field = extra; field + 4 <= extraEnd; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    let next = field + 4;
    for (const [index, value] of values.entries()) {
      if (value !== IN_ZIP64) continue;
      values[index] = Number(view.getBigUint64(next, true));
      next += 8;
    }
  }
  const [, size = 0, offset = 0] = values;
  return { size, offset };
}

function inflated(data: Uint8Array, bytesMax: number): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = new Inflate((chunk) => {
    chunks.push(chunk);
    size += chunk.length;
  });
  for (let at = 0; at < data.length && size <= bytesMax; at += SLICE_BYTES) {
    stream.push(data.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= data.length);
  }
  if (size > bytesMax) return undefined;
  const content = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    content.set(chunk, at);
    at += chunk.length;
  }
  return content;
}
