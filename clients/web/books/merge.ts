/** The entries of several sources as one list. */

interface Ordered {
  date: string;
  id: string;
}

/**
 * Newest first, as each of the lists is. It holds one page of each list, and what was read so far is always the newest of all.
 * @throws what a list throws
 */
export async function* merged<Entry extends Ordered>(
  lists: readonly AsyncGenerator<Entry, void>[],
): AsyncGenerator<Entry, void> {
  const heads = await Promise.all(
    lists.map(async (list) => ({ list, entry: (await list.next()).value ?? undefined })),
  );
  for (;;) {
    let newest: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.entry && (!newest?.entry || isNewer(head.entry, newest.entry))) newest = head;
    }
    if (!newest?.entry) return;
    yield newest.entry;
    newest.entry = (await newest.list.next()).value ?? undefined;
  }
}

/** The order of the service: by date, then by id, which grows with time. */
const isNewer = (one: Ordered, other: Ordered) =>
  one.date === other.date ? one.id > other.id : one.date > other.date;
