/** The response to a write, of its entries and of `Created.stored_json` (ledger.proto). */

/** The entries of a write that were in the ledger before it. */
interface Stored {
  /** The ids of all entries, if the request has others. */
  ids?: string[];
  existing: { index: number; id: string; fields: string[] }[];
}

/**
 * The body of the response as JSON (docs/api/entries.md).
 * @param ids of the entries, in the request
 * @param storedJson undefined if all entries are new
 */
export function createResult(
  entries: readonly { externalRef?: string | undefined }[],
  ids: readonly string[],
  storedJson: Buffer | undefined,
): string {
  const stored: Stored = storedJson ? JSON.parse(storedJson.toString()) : { existing: [] };
  const existing = new Set(stored.existing.map(({ index }) => index));
  const refOf = (index: number) => entries[index]?.externalRef ?? null;
  const created = [...entries.keys()].filter((index) => !existing.has(index));
  const conflicts = stored.existing.filter(({ fields }) => fields.length > 0);
  return JSON.stringify({
    created: created.length,
    deduplicated: existing.size,
    transactions: created.map((index) => ({ id: (stored.ids ?? ids)[index], externalRef: refOf(index) })),
    existing: stored.existing.map(({ id, index }) => ({ id, externalRef: refOf(index) })),
    ...(conflicts.length > 0 && {
      conflicts: conflicts.map(({ index, id, fields }) => ({ index, externalRef: refOf(index), id, fields })),
    }),
  });
}
