/**
 * Frees the memory of `bytes` at once, not after the next garbage collection. Nothing may read them afterwards. Does nothing if they
 * are a part of a larger buffer, which others may read.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer.byteLength === byteLength) (buffer as ArrayBuffer).transfer(0);
}
