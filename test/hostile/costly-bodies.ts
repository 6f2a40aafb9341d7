/** Bodies that are costly to parse for their size. Each repeats a short text up to its size. */
/** @returns a body of `size` bytes */
type Body = (size: number) => Buffer;

const ENTRIES = 500;
const VALID = { date: '2026-04-06', type: 'income', amountPence: 45_000 };

const OTHERS = `[${Array(ENTRIES - 1)
  .fill(JSON.stringify(VALID))
  .join()},`;

/** `unit` repeated between `head` and `tail`, with white space for the remainder. */
const repeated =
  (head: string, unit: string, tail: string): Body =>
  (size) => {
    const count = Math.floor((size - Buffer.byteLength(head + tail)) / Buffer.byteLength(unit));
    const body = Buffer.alloc(size, ' ');
    body.write(head + unit.repeat(count) + tail);
    return body;
  };

/** Like `repeated`, with a different unit for each index. */
const counted =
  (head: string, unit: (index: number) => string, tail: string): Body =>
  (size) => {
    let text = head;
    for (let n = 0; text.length + unit(n).length + tail.length <= size; n++) text += unit(n);
    return Buffer.from((text + tail).padEnd(size));
  };

/** Additional members of the last of 500 entries. */
const members = (unit: string) => repeated(`${OTHERS}{`, unit, '"z":1}]');
/** One member of the last of 500 entries: a text of `unit`s, a number that begins with `start`. */
const text = (member: string, unit: string) => repeated(`${OTHERS}{"${member}":"`, unit, '"}]');
const number = (start: string) => repeated(`${OTHERS}{"amountPence":${start}`, '1', '}]');
const name = (unit: string) => repeated(`${OTHERS}{"`, unit, '":1}]');

/** Balanced brackets. */
const nested =
  (open: string, close: string): Body =>
  (size) => {
    const depth = Math.floor((size - 1) / (open.length + close.length));
    return Buffer.from((open.repeat(depth) + 1 + close.repeat(depth)).padEnd(size));
  };

/** An entry with as many names as are read, and a comma. */
const names = (entry: number) => `{${Array.from({ length: 60 }, (_, n) => `"${entry}.${n}":1`).join()}},`;

const TEXTS = {
  brackets: '[{',
  'emoji as bytes': '🏠',
  'emoji as escapes': '\\ud83c\\udfe0',
  'lone surrogates': '\\ud83c',
  'U+0000': '\\u0000',
  backslashes: '\\\\',
  quotes: '\\"',
  'combining marks': 'e\u0301',
};
// One whose format is checked, and one that may be long.
const TEXT_MEMBERS = ['date', 'description'];

export const COSTLY_BODIES: Record<string, Body> = {
  'a repeated empty name': members('"":1,'),
  'a repeated amount, written as a float': members('"amountPence":1.5,'),
  'a bad escape as a name, without a value': repeated('{', '"\\x":', '1}'),
  'half of an escape as a name, without a value': repeated('{', '"\\u":', '1}'),
  'bad escapes as names in many entries': repeated('[', '{"\\x":},', '{}]'),
  'an unknown name of tildes': name('~'),
  'a float amount without a comma': repeated('{', '"amountPence":1.5', '1}'),
  'distinct unknown names': counted(`${OTHERS}{`, (index) => `"k${index}":1,`, '"z":1}]'),
  'distinct unknown names in each entry': counted('[', names, '{}]'),
  'as many unknown names as are read': repeated(
    `[${Array.from({ length: ENTRIES - 1 }, (_, n) => names(n)).join('')}{`,
    ' ',
    '}]',
  ),
  'an unknown name of escapes': name('\\u0061'),
  'open arrays': repeated('', '[', ''),
  'open objects': repeated('', '{"a":', ''),
  'closed arrays': nested('[', ']'),
  'closed objects': nested('{"a":', '}'),
  'empty arrays': repeated('[', '[],', '[]]'),
  'numbers in the place of entries': repeated('[', '1,', '1]'),
  'a long fraction': number('0.'),
  'a long exponent': number('1e'),
  'line ends within a member': repeated(`${OTHERS}{"date"`, '\n', ':1}]'),
  'bytes that are not UTF-8': (size) => Buffer.alloc(size, 0xff),
  ...Object.fromEntries(
    TEXT_MEMBERS.flatMap((member) =>
      Object.entries(TEXTS).map(([kind, unit]) => [`${kind} as ${member}`, text(member, unit)]),
    ),
  ),
};

/** A valid full batch with escaped descriptions of maximum length and white space. */
export const validBody: Body = (size) => {
  const description = `"description":"${'\\ud83c\\udfe0'.repeat(500)}"`;
  const each = JSON.stringify({ ...VALID, description: '' }).replace('"description":""', description);
  return Buffer.from(`[${Array(ENTRIES).fill(each).join()}]`.padEnd(size));
};
