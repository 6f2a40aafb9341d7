/** The memory of bodies is freed early, but not memory that something else may read. */
import { expect, test } from 'bun:test';
import { freeBytes } from '../../../gateway/input/free-bytes.ts';

test('a buffer is freed at once', () => {
  const bytes = Uint8Array.of(1, 2, 3);
  freeBytes(bytes);
  expect(bytes.byteLength).toBe(0);
});

test('a chunk that shares a buffer leaves the other chunks as they are', () => {
  const { buffer } = Uint8Array.of(1, 2, 3, 4);
  const rest = new Uint8Array(buffer, 2);
  freeBytes(new Uint8Array(buffer, 0, 2));
  expect([...rest]).toEqual([3, 4]);
});
