/** Generates entries as JSON text: valid except for a few changes. */
import fc from 'fast-check';
import { CATEGORIES, type SourceType } from '../../proto/domain.ts';
import { mostly } from './generators.ts';
import { CANARY } from './request.ts';
import { hostileName, hostileText, hostileValue, textAtLimit } from './texts.ts';

/** One entry as JSON, with any spacing and escapes. */
export function anyEntry(type: SourceType): fc.Arbitrary<string> {
  return fc.tuple(anyMembers(type), anyChanges, anySpace).map(([members, changes, space]) => {
    const changed = changes.reduce((all, { at, change, other }) => {
      const place = at % Math.max(1, all.length);
      return change(all, place, all[place] ?? other, other);
    }, members);
    const written = changed.map(([name, value]) => `${space}${name}${space}:${value}`);
    return `{${written.join(`${space},`)}${space}}`;
  });
}

/** A member of an entry, as JSON text. */
type Member = [name: string, value: string];

const quoted = JSON.stringify;

const anyDate = mostly(
  20,
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  fc.constantFrom(
    ...['0000-01-01', '0001-01-01', '9999-12-31', '10000-01-01', '2026-02-30', '2024-02-29', '1900-02-29'],
    ...['2026-04-06T00:00:00Z', '2026-4-6', '2026-13-01', '2026-00-10', '06/04/2026', '2026-04-06 '],
    ...['today', 'infinity', '20260406', '2026-04-06\n', '２０２６-04-06', '+002026-04-06'],
  ),
);
const anyAmount = mostly(25, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String), hostileValue);
const anyText = (limit: number) => mostly(12, hostileText, textAtLimit(limit));
// Some references repeat, so that their entries are already in the books.
const anyReference = mostly(
  3,
  anyText(180),
  fc.nat({ max: 300 }).map((number) => `${CANARY}-${number}`),
);

function anyKind(type: SourceType) {
  const fitting = (['income', 'expense'] as const).flatMap((entryType) =>
    CATEGORIES[type][entryType].map(({ key }): [string, string] => [entryType, key]),
  );
  const strange = fc.tuple(
    fc.constantFrom('income', 'expense', 'Income', 'INCOME', 'income ', 'toString', ''),
    fc.oneof(
      fc.constantFrom('periodAmount', 'turnover', 'rentIncome', 'PeriodAmount', 'other', '', '0'),
      fc.constantFrom('__proto__', 'constructor', 'toString', 'length', 'key'),
      hostileText,
    ),
  );
  return mostly(15, fc.constantFrom(...fitting), strange);
}

function anyMembers(type: SourceType): fc.Arbitrary<Member[]> {
  return fc
    .record({
      date: anyDate.map(quoted),
      kind: anyKind(type),
      amountPence: anyAmount,
      categorised: fc.boolean(),
      description: fc.option(anyText(500).map(quoted)),
      externalRef: fc.option(anyReference.map(quoted)),
    })
    .map(({ date, kind: [entryType, category], amountPence, categorised, description, externalRef }) => {
      const members: [string, string | null][] = [
        ['date', date],
        ['type', quoted(entryType)],
        ['amountPence', amountPence],
        ['category', categorised ? quoted(category) : null],
        ['description', description],
        ['externalRef', externalRef],
      ];
      return members.flatMap(([name, value]): Member[] => (value === null ? [] : [[quoted(name), value]]));
    });
}

/** Each of the members of an entry: another name or value for the one at a place, which has its own ones. */
const CHANGES: ((members: Member[], place: number, own: Member, other: Member) => Member[])[] = [
  (members, place, [name], [, value]) => members.toSpliced(place, 1, [name, value]),
  (members, place) => members.toSpliced(place, 1),
  (members, _, own) => [...members, own],
  (members, _, [name], [, value]) => [...members, [name, value]],
  (members, place, _, other) => members.toSpliced(place, 0, other),
  (members, place, [, value], [name]) => members.toSpliced(place, 1, [name, value]),
  (members, place, [name, value]) => members.toSpliced(place, 1, [escaped(name), value]),
  (members, place, own) => [...members.toSpliced(place, 1), own],
];
const anyChange = fc.record({
  at: fc.nat({ max: 6 }),
  change: fc.constantFrom(...CHANGES),
  other: fc.tuple(hostileName.map(quoted), hostileValue),
});

/** The same name with escapes. */
function escaped(name: string): string {
  return `"${(JSON.parse(name) as string).split('').map(unicodeEscape).join('')}"`;
}

/** A UTF-16 code unit as a JSON escape. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const anySpace = fc.constantFrom('', '', '', ' ', '\r\n\t ', '\n');
const anyChanges = mostly(7, fc.constant([]), fc.array(anyChange, { minLength: 1, maxLength: 2 }));
