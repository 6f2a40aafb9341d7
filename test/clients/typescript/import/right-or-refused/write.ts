/** Writes a model's file as bytes. */
import { type WorkbookCell, workbook } from '../workbook.ts';
import type { ModelFile, Row } from './model.ts';

export function bytesOf(file: ModelFile): Uint8Array {
  if (file.format === 'xlsx') return workbookBytes(file);
  const text = file.changesOfText.reduce((text, change) => change(text), textOf(file));
  return file.encode(text);
}

function textOf({ format, columns, before, rows, delimiter }: ModelFile): string {
  switch (format) {
    case 'csv': {
      const line = (cells: readonly string[]) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter);
      const lines = rows.map(
        ({ fields }) => fields.line ?? line(columns.map(({ field }) => fields[field] ?? '')),
      );
      return [...before, line(columns.map(({ name }) => name)), ...lines, ''].join('\n');
    }
    case 'ofx':
      return `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKACCTFROM><BANKID>200000<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\n${rows.map(ofxRecord).join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
    case 'qif':
      return `!Type:Bank\n${rows
        .map(
          ({ fields }) =>
            fields.line ??
            `${Object.entries(fields)
              .map(([letter, text]) => `${letter}${text}\n`)
              .join('')}^\n`,
        )
        .join('')}`;
    case 'camt':
      return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr/><Stmt><Acct><Id><IBAN>GB1</IBAN></Id><Ccy>GBP</Ccy></Acct><TxsSummry><TtlNtries><NbOfNtries>${rows.length}</NbOfNtries></TtlNtries></TxsSummry>\n${rows.map(camtEntry).join('')}</Stmt></BkToCstmrStmt></Document>\n`;
    case 'json':
      return `[${rows.map(jsonRecord).join(',\n')}]\n`;
    default:
      return rows.map((row) => `${jsonRecord(row)}\n`).join('');
  }
}

const quoted = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const ofxRecord = ({ fields }: Row, index: number) =>
  fields.line ??
  `<STMTTRN>${Object.entries({ ...fields, FITID: fields.FITID ?? `F${index}` })
    .map(([tag, text]) => `<${tag}>${tag === 'raw' ? '' : escaped(text)}`)
    .join('')
    .replace('<raw>', fields.raw ?? '')}</STMTTRN>\n`;

/** `detail` is what a transaction has beside its text, and `parts` are all transactions. */
const camtEntry = ({ fields: { Amt = '', Ccy, CdtDbtInd, Sts, Dt, Ustrd = '', ...more } }: Row) =>
  `<Ntry><Amt Ccy="${Ccy}">${Amt}</Amt><CdtDbtInd>${CdtDbtInd}</CdtDbtInd><Sts><Cd>${Sts}</Cd></Sts><BookgDt><Dt>${Dt}</Dt></BookgDt>${more.raw ?? ''}<NtryDtls>${more.parts ?? `<TxDtls>${more.detail ?? ''}<RmtInf><Ustrd>${escaped(Ustrd)}</Ustrd></RmtInf></TxDtls>`}</NtryDtls></Ntry>\n`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const jsonRecord = ({ fields }: Row) =>
  fields.line ??
  `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name.replace(/\*$/, ''))}:${value}`)
    .join(',')}}`;

const DAY_0 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = 1_462;

/** Dates are serial numbers, amounts are numbers, and a row may be hidden or in euros. */
function workbookBytes({ columns, rows, sheet }: ModelFile): Uint8Array {
  const { hiddenRows, isHidden, is1904, euroRows, momentLacking } = sheet;
  const cellOf = (field: string, text: string, index: number): WorkbookCell => {
    if (field === 'date' && /^\d{4}-/.test(text)) {
      const serial = (Date.parse(text) - DAY_0) / 86_400_000 - (is1904 ? EPOCH_1904 : 0);
      return { dateSerial: serial - momentLacking };
    }
    const isAmount = field === 'amount' && /^-?\d/.test(text);
    return isAmount ? { number: text, isPlain: !euroRows.has(index) } : text;
  };
  const table: WorkbookCell[][] = [
    columns.map(({ name }) => name),
    ...rows.map(({ fields }, index) => columns.map(({ field }) => cellOf(field, fields[field] ?? '', index))),
  ];
  const numbered = Object.fromEntries(table.map((cells, index) => [index + 1, cells]));
  const entries = {
    name: 'Entries',
    rows: numbered,
    hiddenRows: [...hiddenRows].map((row) => row + 2),
    isHidden,
  };
  const shown = isHidden ? [{ name: 'Shown', rows: { 1: ['A note'] } }] : [];
  return workbook([entries, ...shown], { format: '[$€-407]#,##0.00', is1904 });
}
