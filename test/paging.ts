/** Reading a list to its end. A list without an end fails by name, not by the time-out of the test that reads it. */

const PAGES_MAX = 1_000;

/**
 * All pages of a list, the first read without a cursor.
 * @param next the cursor of the page after; null or undefined on the last page
 * @throws Error when a cursor comes back, or when the list has not ended after 1,000 pages
 */
export async function readPages<Page>(
  read: (cursor?: string) => Promise<Page>,
  next: (page: Page) => string | null | undefined,
): Promise<Page[]> {
  const pages: Page[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; pages.length < PAGES_MAX; ) {
    const page = await read(cursor);
    pages.push(page);
    cursor = next(page) ?? undefined;
    if (cursor === undefined) return pages;
    if (cursors.has(cursor))
      throw new Error(`The list has no end: page ${pages.length} ends where an earlier page did`);
    cursors.add(cursor);
  }
  throw new Error(`The list has no end: it goes on after ${PAGES_MAX} pages`);
}
