/** The elements of a CAMT.053 file (ISO 20022, any version) that the reader uses, statement by statement, entry by entry. */
/// <reference path="./saxen.d.ts" />
import { Parser } from 'saxen';
import { ImportError } from '../import-error.ts';
import { CELL_LENGTH_MAX, requireRows } from './bounds.ts';
import { decodeEntities } from './entities.ts';

/** Texts by the path of the element; the first text of a path counts. The currency of `Amt` is at `Amt@Ccy`. */
export type CamtFields = ReadonlyMap<string, string>;
export interface CamtEntry {
  fields: CamtFields;
  /** A repeated element with another text, which CAMT allows only once. */
  twice?: string;
  /** One for each transaction of the entry, if the bank gives them. */
  details: CamtFields[];
}
interface CamtHandlers {
  /** A statement begins. */
  statement(): void;
  /** Its number among pages, and whether it is the last one. */
  page(fields: CamtFields): void;
  /** The first and the last day of the statement. */
  days(fields: CamtFields): void;
  account(fields: CamtFields): void;
  balance(fields: CamtFields): void;
  /** The declared number of entries. */
  summary(fields: CamtFields): void;
  entry(entry: CamtEntry): void;
  end(): void;
}

const ROOT = 'BkToCstmrStmt';
const STATEMENT_PATH = `${ROOT}/Stmt`;
const ENTRY = `${STATEMENT_PATH}/Ntry`;
const DETAILS = 'Ntry/NtryDtls/TxDtls';
/** All elements that CAMT.053 allows there, in any version. Another element may hold money that belongs in the books. */
const KNOWN_ELEMENTS = new Map(
  Object.entries({
    [ROOT]: 'GrpHdr Stmt',
    [STATEMENT_PATH]:
      'Id StmtPgntn ElctrncSeqNb RptgSeq LglSeqNb CreDtTm FrToDt CpyDplctInd RptgSrc Acct RltdAcct Intrst Bal TxsSummry Ntry AddtlStmtInf',
    [ENTRY]:
      'NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef Avlbty BkTxCd ComssnWvrInd AddtlInfInd AmtDtls Chrgs TechInptChanl Intrst CardTx NtryDtls AddtlNtryInf',
  }).map(([path, names]) => [path, names.split(' ')]),
);
const DATES = ['Dt/Dt', 'Dt/DtTm'];
const PARTIES = ['Dbtr', 'Cdtr'].flatMap((party) => [`${party}/Nm`, `${party}/Pty/Nm`]);

/** Paths by the containing element. Paths of details are relative to their transaction. */
const LEAVES: Record<string, string[]> = {
  Acct: ['Id/IBAN', 'Id/Othr/Id', 'Ccy'],
  StmtPgntn: ['PgNb', 'LastPgInd'],
  FrToDt: ['FrDtTm', 'ToDtTm'],
  TxsSummry: ['TtlNtries/NbOfNtries'],
  Bal: ['Tp/CdOrPrtry/Cd', 'Amt', 'CdtDbtInd', ...DATES],
  Ntry: [
    ...['Amt', 'CdtDbtInd', 'RvslInd', 'Sts', 'Sts/Cd', 'AcctSvcrRef', 'AddtlNtryInf'],
    ...DATES.flatMap((path) => [`Bookg${path}`, `Val${path}`]),
  ],
  [DETAILS]: [
    ...['Refs/AcctSvcrRef', 'Amt', 'CdtDbtInd', 'AmtDtls/TxAmt/Amt', 'AddtlTxInf'],
    ...PARTIES.map((path) => `RltdPties/${path}`),
    ...['RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref'],
  ],
};
/** Elements that occur several times: their texts are joined. */
const JOINED = ['RmtInf/Ustrd', 'AddtlNtryInf'];

/** Each path from the root to an element that is read, with its group and its path in the group. */
const PATHS = new Map<string, { group: string; leaf: string } | undefined>([[ROOT, undefined]]);
for (const [group, leaves] of Object.entries(LEAVES)) {
  for (const leaf of leaves) {
    const path = `${STATEMENT_PATH}/${group}/${leaf}`;
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const above = path.slice(0, at);
      if (!PATHS.has(above)) PATHS.set(above, undefined);
    }
    PATHS.set(path, { group, leaf });
  }
}

/**
 * Passes the elements of the file to the handlers, in order. Skips any number and depth of other elements, unless CAMT does not define them and
 * they hold amounts. Entities that XML does not predefine stay texts: nothing is ever fetched or expanded.
 * @throws ImportError `unreadable_file`
 */
export function readCamt(xml: string, handlers: CamtHandlers): void {
  const paths: string[] = [];
  let fields = new Map<string, string>();
  let entry: CamtEntry = { fields, details: [] };
  let text = '';
  let hasStatement = false;
  /** The enclosing element that CAMT does not define there, and its depth. */
  let unknown: { name: string; depth: number } | undefined;
  let stray: string | undefined;
  const groups: Record<string, () => void> = {
    StmtPgntn: () => handlers.page(fields),
    FrToDt: () => handlers.days(fields),
    Acct: () => handlers.account(fields),
    TxsSummry: () => handlers.summary(fields),
    Bal: () => handlers.balance(fields),
    Ntry: () => handlers.entry(entry),
  };
  const parser = new Parser();
  parser.on('openTag', (qualified, attributes) => {
    const name = qualified.slice(qualified.indexOf(':') + 1);
    const above = paths.at(-1) ?? '';
    const path = name === ROOT ? ROOT : above === '' ? '' : `${above}/${name}`;
    const isKnown = PATHS.has(path);
    if (KNOWN_ELEMENTS.get(above)?.includes(name) === false) unknown ??= { name, depth: paths.length };
    if (unknown && (attributes() || { Ccy: undefined }).Ccy !== undefined) stray ??= unknown.name;
    if (name === 'Ntry' && path !== ENTRY) stray ??= name;
    paths.push(isKnown ? path : '');
    if (!isKnown) return;
    text = '';
    const group = path.slice(STATEMENT_PATH.length + 1);
    if (path === STATEMENT_PATH) {
      hasStatement = true;
      handlers.statement();
    } else if (group === DETAILS) {
      fields = new Map();
      entry.details.push(fields);
      requireRows(entry.details.length);
    } else if (Object.hasOwn(groups, group)) {
      fields = new Map();
      if (group === 'Ntry') entry = { fields, details: [] };
    }
    const leaf = PATHS.get(path)?.leaf;
    if (leaf?.endsWith('Amt')) set(`${leaf}@Ccy`, currencyOf(attributes()));
  });
  const set = (leaf: string, value: string) => {
    const trimmed = value.trim();
    if (trimmed === '') return;
    const before = fields.get(leaf);
    if (before === undefined) fields.set(leaf, trimmed);
    else if (JOINED.includes(leaf)) {
      if (before.length <= CELL_LENGTH_MAX) fields.set(leaf, `${before} ${trimmed}`);
    } else if (fields === entry.fields && before !== trimmed) entry.twice ??= leaf;
  };
  const addText = (part: string) => {
    if (PATHS.get(paths.at(-1) ?? '') && text.length <= CELL_LENGTH_MAX) text += part;
  };
  // One character more than a cell may have shows that the text is too long.
  parser.on('text', (part) => addText(decodeEntities(part.slice(0, CELL_LENGTH_MAX + 1))));
  parser.on('cdata', (part) => addText(part.slice(0, CELL_LENGTH_MAX + 1)));
  parser.on('closeTag', () => {
    const path = paths.pop() ?? '';
    const leaf = PATHS.get(path)?.leaf;
    if (leaf !== undefined) set(leaf, text);
    text = '';
    const group = path.slice(STATEMENT_PATH.length + 1);
    if (group === DETAILS) fields = entry.fields as Map<string, string>;
    else if (Object.hasOwn(groups, group)) groups[group]?.();
    else if (path === STATEMENT_PATH) handlers.end();
    if (unknown?.depth === paths.length) unknown = undefined;
  });
  parseXml(parser, xml);
  if (!hasStatement) {
    const message =
      'The file is not CAMT.053: it has no statement (BkToCstmrStmt); download the statement of the account.';
    throw new ImportError('unreadable_file', message, 'format');
  }
  if (stray !== undefined) {
    const message = `The file has amounts in the element ${stray.slice(0, 100)}, where CAMT.053 has none; download the statement again, or as CSV or OFX.`;
    throw new ImportError('unreadable_file', message);
  }
}

const currencyOf = (attributes: Record<string, string> | false) => (attributes ? (attributes.Ccy ?? '') : '');

function parseXml(parser: Parser, xml: string): void {
  try {
    parser.parse(xml);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      'unreadable_file',
      'The file is not whole, or not XML; download it again.',
      'format',
    );
  }
}
