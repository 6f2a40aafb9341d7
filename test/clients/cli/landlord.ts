/** A landlord with two houses, and the files of banks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../../fixtures/books.ts';
import { admin } from '../../fixtures/system.ts';
import { typedRows } from '../typed-rows.ts';
import { newConfig, runLedger } from './command.ts';

export const CSV = 'Date,Description,Amount';
export const NUMBERED = `${CSV},Transaction ID`;
export const LLOYDS =
  'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance';
export const lloyds = (date: string, text: string, out: string, balance: string) =>
  `${date},DEB,30-00-01,12345678,${text},${out},,${balance}`;
export const BARCLAYS = 'Number,Date,Account,Amount,Subcategory,Memo';

export const ofx = (...rows: string[]) =>
  [
    'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP',
    '<BANKACCTFROM><BANKID>200000<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>',
    ...rows.map((row) => {
      const [date, text, amount, id] = row.split(',');
      const type = amount?.startsWith('-') ? 'DEBIT' : 'CREDIT';
      return `<STMTTRN><TRNTYPE>${type}<DTPOSTED>${date}<TRNAMT>${amount}<FITID>${id}<NAME>${text}</STMTTRN>`;
    }),
    '</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n',
  ].join('\n');
/** The header of a bank needs no column for the direction of its amounts. */
export const csv = (header: string, ...rows: string[]) =>
  [...(header === CSV || header === NUMBERED ? typedRows(header, rows) : [header, ...rows]), ''].join('\n');

/** A landlord with two houses, and files in a folder of their own. There is no other source: a push reads the entries of each. */
export async function landlord() {
  const { accountId } = await admin.createAccount({ plan: 'pro' });
  const house = async (name: string) =>
    (await admin.createSource({ accountId, type: 'uk-property', name, role: 'owner', sharePercent: 100 }))
      .id ?? '';
  const [{ key }, houseA, houseB] = await Promise.all([
    admin.createKey({ accountId }),
    house('House A'),
    house('House B'),
  ]);
  const houses = { 'House A': houseA, 'House B': houseB };
  const names = new Map(Object.entries(houses).map(([name, id]) => [id, name]));
  const env = { ...newConfig(), LEDGER_API_KEY: key };
  const path = (name: string) => join(env.XDG_CONFIG_HOME, name);
  const write = (name: string, text: string) => writeFileSync(path(name), text);
  const ledger = async (line: string) => {
    const args = line.split(' ').map((arg) => (/\.\w+$/.test(arg) ? path(arg) : arg.replace('_', ' ')));
    return runLedger(args, { env });
  };
  /** The exit code. @param more options; without a source or rules, the source is House A */
  const push = async (files: string, more = '-s House_A') =>
    (await ledger(`push ${files} --yes ${more}`)).exitCode;
  const reconcile = async (files: string, more = '-s House_A') =>
    (await ledger(`reconcile ${files} --corrections list.csv ${more}`)).exitCode;
  const textOf = (name: string) => readFileSync(path(name), 'utf8');
  const lines = (name: string) => textOf(name).trimEnd().split('\r\n').slice(1);
  /** Answers the questions without an answer that have this text. */
  const answer = (text: string, decision: string) =>
    write(
      'd.csv',
      readFileSync(path('d.csv'), 'utf8').replaceAll(
        /^,.*$/gm,
        (line) => `${line.includes(text) ? decision : ''}${line}`,
      ),
    );
  /** `date amount house` of each entry. */
  const stored = async () =>
    (await rowsOf(accountId))
      .map(({ date, type, amountPence, sourceId }) => {
        const sign = type === 'income' ? '' : '-';
        return `${date.slice(5)} ${sign}${amountPence / 100} ${names.get(sourceId)?.slice(-1)}`;
      })
      .sort();
  return { houses, write, textOf, ledger, push, reconcile, lines, answer, stored };
}
