/** The action of a rule: the text after `->`. docs/rules.md describes the grammar. */
import { type EntryType, PARTS_MAX } from '../options.ts';
import { isOfGross, type Share, type SharePart } from './split.ts';

/** Names are unresolved texts of the rule. */
export type RuleAction =
  | { kind: 'leave out' }
  | { kind: 'ask' }
  /** `name` alone may be a source or a category. */
  | { kind: 'name'; name: string }
  | { kind: 'entry'; source: string | undefined; category: string | undefined; isRefund: boolean }
  | { kind: 'split'; source: string | undefined; parts: RulePart[] };

/** A part of a split. Parts can have different sources. */
interface RulePart extends SharePart {
  source: string | undefined;
}

/** An action, or the problem of the text, as the end of a sentence. */
type ParsedAction = RuleAction | { problem: string };

const SPLIT = /^split\s*:/i;
const SLASHES = 'has more than one /; put a name with a / in quotes';
const NO_NAME = 'has no name on one side of the /';

export function readAction(text: string): ParsedAction {
  if (/^leave\s+out$/i.test(text)) return { kind: 'leave out' };
  if (/^ask$/i.test(text)) return { kind: 'ask' };
  const [first = '', second, ...more] = piecesOf(text, '/');
  if (SPLIT.test(first)) return readSplit(text.replace(SPLIT, ''), undefined);
  if (second !== undefined && SPLIT.test(second)) {
    const list = [second, ...more].join('/').replace(SPLIT, '');
    return first === '' ? { problem: NO_NAME } : readSplit(list, unquoted(first));
  }
  if (more.length > 0) return { problem: SLASHES };
  const source = second === undefined ? undefined : unquoted(first);
  const body = second ?? first;
  if (source === '' || body === '') return { problem: NO_NAME };
  const [, refunded] = /^refund\s+of\s+(.*)$/i.exec(body) ?? [];
  if (refunded !== undefined) return { kind: 'entry', source, category: unquoted(refunded), isRefund: true };
  if (source === undefined) return { kind: 'name', name: unquoted(body) };
  return { kind: 'entry', source, category: unquoted(body), isRefund: false };
}

/** Removes a comment, which begins with a # after a space, outside of quotes. */
export function withoutComment(text: string): string {
  const [before = ''] = /^(?:"(?:[^"]|"")*"|\S|\s(?!#))*/.exec(text) ?? [];
  return before.trim();
}

/** Cuts at each separator outside of quotes. */
export function piecesOf(text: string, separator: string): string[] {
  const pieces = [''];
  for (const [token] of text.matchAll(/"(?:[^"]|"")*"|[\s\S]/g)) {
    if (token === separator) pieces.push('');
    else pieces.push(pieces.pop() + token);
  }
  return pieces.map((piece) => piece.trim());
}

export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The text without the quotes around it. */
export function unquoted(text: string): string {
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(text.trim()) ?? [];
  return quoted?.replaceAll('""', '"') ?? text.trim();
}

function readSplit(list: string, source: string | undefined): ParsedAction {
  const parts: RulePart[] = [];
  const pieces = piecesOf(list, ',');
  if (pieces.length > PARTS_MAX) return { problem: `has more than ${PARTS_MAX} parts` };
  for (const piece of pieces) {
    const part = readPartOfSource(piece);
    if ('problem' in part) return part;
    parts.push(part);
  }
  const entries = parts.filter(({ isLeftOut }) => !isLeftOut);
  const named = entries.filter((part) => part.source !== undefined).length;
  if (source === undefined && named > 0 && named < entries.length) {
    return {
      problem: 'has parts with a source and parts without; name the source of each, or one before "split:"',
    };
  }
  const rests = parts.filter(({ share }) => share.kind === 'rest').length;
  if (rests > 1) return { problem: 'has more than one rest' };
  const gross = (parts as SharePart[])
    .filter(isOfGross)
    .reduce((sum, { share }) => sum + share.millionths, 0);
  if (gross > 0 && rests === 0) return { problem: 'has a part of the gross and no rest, which the gross is' };
  if (gross >= 1_000_000) return { problem: 'takes 100 % or more of the gross' };
  return { kind: 'split', source, parts };
}

const TYPE_FIRST = String.raw`(?:(income|expense)\b\s*)?`;
const REST_LEFT_OUT = /^rest\s+leave\s+out$/i;
const REST = new RegExp(String.raw`^rest\b\s*${TYPE_FIRST}(.*)$`, 'i');
const AMOUNT_LEFT_OUT = /^leave\s+out\s+£?(\d+(?:\.\d+)?)$/i;
const AMOUNT_PART = new RegExp(String.raw`^${TYPE_FIRST}(.*\S)\s+£?(\d+(?:\.\d+)?)$`, 'i');
const PERCENT = new RegExp(
  String.raw`^${TYPE_FIRST}(.*\S)\s+(\d{1,3}(?:\.\d{1,4})?)\s*%\s+of\s+(payment|gross)(?:\s+incl\.?\s+VAT)?$`,
  'i',
);
const PART_EXAMPLES =
  'parts are: residentialFinancialCost 412.50, professionalFees 5 % of payment, expense professionalFees 12 % of gross, leave out 20.00, rest; a source and a / can stand before each';

/** A source and a / may precede a part. */
function readPartOfSource(text: string): RulePart | { problem: string } {
  const [first = '', second, ...more] = piecesOf(text, '/');
  if (more.length > 0) return { problem: SLASHES };
  if (second !== undefined && (first === '' || second === '')) return { problem: NO_NAME };
  const part = readPart(second ?? first);
  if ('problem' in part) return part;
  if (second !== undefined && part.isLeftOut)
    return { problem: `leaves out a part that has a source at "${text.slice(0, 40)}"` };
  return { ...part, source: second === undefined ? undefined : unquoted(first) };
}

function readPart(text: string): SharePart | { problem: string } {
  const part = (
    share: Share | undefined,
    type?: string,
    category?: string,
    isLeftOut = false,
  ): SharePart | { problem: string } =>
    share
      ? {
          share,
          type: type?.toLowerCase() as EntryType | undefined,
          category: category ? unquoted(category) : undefined,
          isLeftOut,
        }
      : { problem: `has no amount or percentage at "${text.slice(0, 40)}"` };
  if (REST_LEFT_OUT.test(text)) return part({ kind: 'rest' }, undefined, undefined, true);
  const rest = REST.exec(text);
  if (rest) return part({ kind: 'rest' }, rest[1], rest[2]);
  const leftOut = AMOUNT_LEFT_OUT.exec(text);
  if (leftOut) return part(amountShare(leftOut[1]), undefined, undefined, true);
  const percent = PERCENT.exec(text);
  if (percent) return part(percentShare(percent[3], percent[4]), percent[1], percent[2]);
  if (/plus\s+VAT/i.test(text))
    return { problem: 'adds VAT; write the percentage with it, as 14.4 % for 12 % plus VAT' };
  const amount = AMOUNT_PART.exec(text);
  if (amount) return part(amountShare(amount[3]), amount[1], amount[2]);
  return { problem: `is no list of parts at "${text.slice(0, 40)}"; ${PART_EXAMPLES}` };
}

/** Undefined for 0.00, and for more than two decimals or 13 digits. */
function amountShare(text = ''): Share | undefined {
  const [, pounds, decimals = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (pounds === undefined) return undefined;
  const pence = Number(pounds + decimals.padEnd(2, '0'));
  return pence > 0 ? { kind: 'amount', pence } : undefined;
}

function percentShare(text = '', of = ''): Share | undefined {
  const [whole = '', decimals = ''] = text.split('.');
  const millionths = Number(whole + decimals.padEnd(4, '0'));
  if (millionths === 0 || millionths > 1_000_000) return undefined;
  return { kind: 'percent', millionths, of: of.toLowerCase() as 'payment' | 'gross' };
}
