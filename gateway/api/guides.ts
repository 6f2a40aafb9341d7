/** The guides of docs/api: for the page /api/v1/docs, and one by one in Markdown, with /llms.txt as their index. */
import categories from '../../docs/api/categories.md' with { type: 'text' };
import conventions from '../../docs/api/conventions.md' with { type: 'text' };
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
import openapi from './openapi.json';

export const OPENAPI_PATH = '/api/v1/openapi.json';
export const DOCS_PATH = '/api/v1/docs';

const { title, summary, description } = openapi.info;

/** In the order of the page. */
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
  'conventions.md': conventions,
  'libraries.md': libraries,
};

/** The texts of the guides by their paths. Links between guides are relative, and lead from path to path. */
export const GUIDE_FILES = Object.entries(GUIDES).map(
  ([file, text]) => [`${DOCS_PATH}/${file}`, text] as const,
);

function headingsOf(text: string): string[] {
  const outsideCode = text.replace(/^```.*?^```/gms, '');
  return [...outsideCode.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
}

/** In the format of llmstxt.org. The headings of a guide tell its content. */
export const LLMS_TXT = `# ${title}

> ${summary}

${description}

## Guides

${GUIDE_FILES.map(([path, text]) => {
  const [title, ...sections] = headingsOf(text);
  return `- [${title}](${path})${sections.length > 0 ? `: ${sections.join(', ')}` : ''}`;
}).join('\n')}

## Reference

- [OpenAPI description](${OPENAPI_PATH}): the endpoints with parameters, schemas, errors and samples, in JSON
- [Page](${DOCS_PATH}): the guides and the reference for people
`;

/** The anchor of a heading, as GitHub and Scalar form it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/ /g, '-');

/** The anchor of the title of a guide. */
function titleAnchor(file: string): string {
  const [title] = headingsOf(GUIDES[file] ?? '');
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

/** All guides as one text, with links for the page. */
export const GUIDES_OF_PAGE = Object.values(GUIDES).map(withPageLinks).join('\n');
