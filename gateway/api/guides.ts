/** The guides of docs/api as sections of the description, with links that lead to its headings. */
import categories from '../../docs/api/categories.md' with { type: 'text' };
import entries from '../../docs/api/entries.md' with { type: 'text' };
import errorCodes from '../../docs/api/error-codes.md' with { type: 'text' };
import errors from '../../docs/api/errors.md' with { type: 'text' };
import idempotencyKeys from '../../docs/api/idempotency-keys.md' with { type: 'text' };
import libraries from '../../docs/api/libraries.md' with { type: 'text' };
import limits from '../../docs/api/limits.md' with { type: 'text' };
import paging from '../../docs/api/paging.md' with { type: 'text' };
import quickStart from '../../docs/api/quick-start.md' with { type: 'text' };
import references from '../../docs/api/references.md' with { type: 'text' };
import requests from '../../docs/api/requests.md' with { type: 'text' };
import versions from '../../docs/api/versions.md' with { type: 'text' };

/** In the order in which the page shows them. */
const GUIDES: Record<string, string> = {
  'quick-start.md': quickStart,
  'requests.md': requests,
  'entries.md': entries,
  'references.md': references,
  'idempotency-keys.md': idempotencyKeys,
  'limits.md': limits,
  'errors.md': errors,
  'error-codes.md': errorCodes,
  'categories.md': categories,
  'paging.md': paging,
  'versions.md': versions,
  'libraries.md': libraries,
};

/** The anchor of a heading: that of GitHub and of Scalar. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/ /g, '-');

/** The anchor of the title of a guide. */
function titleAnchor(file: string): string {
  const [, title] = /^# (.+)$/m.exec(GUIDES[file] ?? '') ?? [];
  if (title === undefined) throw new Error(`docs/api/${file} is not one of the guides`);
  return anchorOf(title);
}

// Scalar's address of a heading of the description: GitHub's, with `-` in place of `_`.
const withPageLinks = (text: string) =>
  text.replace(
    /\]\(([\w-]+\.md)?(?:#([\w-]+))?\)/g,
    (_, file: string | undefined, anchor: string | undefined) =>
      `](#description/${(anchor ?? titleAnchor(file ?? '')).replaceAll('_', '-')})`,
  );

export const guides = Object.values(GUIDES).map(withPageLinks).join('\n');
