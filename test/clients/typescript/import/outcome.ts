/** Small files of each format, and what the reader makes of them. */
import { expect } from 'bun:test';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { lines, readBytes } from './files.ts';

/** The entries, and what is said of the other rows or of the file. */
export async function outcomeOf(file: string | Uint8Array, options: ImportOptions = {}) {
  try {
    const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
    const result = await readBytes(bytes, options);
    const { invalid, skipped, warnings } = result;
    const said = [
      ...[...invalid, ...warnings].map(({ message }) => message),
      ...skipped.map(({ reason }) => reason),
    ];
    return { entries: lines(result), said: said.join('\n') };
  } catch (error) {
    return { entries: [], said: (error as Error).message };
  }
}

export const csv = (...rows: string[]) => rows.map((row) => `${row}\n`).join('');
export const ofx = (transactions: string, currency = 'GBP') =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>\n${transactions}</BANKTRANLIST></STMTRS></OFX>\n`;
export const payment = (type: string, amount: string, id: string, more = '') =>
  `<STMTTRN><TRNTYPE>${type}<DTPOSTED>20260413<TRNAMT>${amount}<FITID>${id}<NAME>x${more}</STMTTRN>\n`;
export const qif = (...records: string[]) => `!Type:Bank\n${records.join('\n')}\n`;
/** A statement of an account in CAMT.053. */
export const camt = (content: string, account = 'GB1') =>
  `<Stmt><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${content}</Stmt>`;
export const camtEntry = (amount: string, more = '', status = 'BOOK') =>
  `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-04-01</Dt></BookgDt>${more}</Ntry>`;
export const camtBalance = (code: string, amount: string, sign = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>2026-04-01</Dt></Dt></Bal>`;
export const dated = (serial: number, amount = '1') => [{ dateSerial: serial }, 'x', { number: amount }];
export const HEADER = ['Date', 'Description', 'Amount'];
export const OFX_SPENT = '1 2026-04-13 -100 x';

export type Row = [
  name: string,
  file: string | Uint8Array,
  entries: string[],
  said: RegExp | '',
  options?: ImportOptions,
];
export const check = async (
  _: string,
  file: Row[1],
  entries: string[],
  said: RegExp | '',
  options?: ImportOptions,
) => {
  const outcome = await outcomeOf(file, options);
  expect(outcome.entries).toEqual(entries);
  expect(outcome.said).toMatch(said || /^$/);
};
