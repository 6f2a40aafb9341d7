/** A person who works through a list of corrections in the app. */
import { readFileSync } from 'node:fs';
import { ownTable } from '../../../clients/typescript/books/csv.ts';
import { sql } from '../../fixtures/system.ts';

const COLUMNS = [
  ...(['action', 'property', 'date', 'description', 'is'] as const),
  ...(['should be', 'reference', 'id', 'reason'] as const),
];
export type Line = Record<(typeof COLUMNS)[number], string>;

export function linesOf(path: string): Line[] {
  const table = ownTable(readFileSync(path, 'utf8'), COLUMNS);
  if (!('records' in table)) throw new Error(`${path} is no list of corrections`);
  return table.records.map(({ texts }) => texts);
}

const FIELD = /^(date|type|amount|description|category) (.*)$/;

/** Changes, moves and removes each entry in the database as its line says. */
export async function applyCorrections(
  accountId: string,
  lines: readonly Line[],
  sourceId: (name: string) => string,
): Promise<void> {
  for (const { action, id, 'should be': shouldBe } of lines) {
    const entry = sql`account_id = ${accountId} and entry_id = ${id}`;
    if (action === 'remove') {
      await sql`delete from ledger.entry where ${entry}`;
      continue;
    }
    for (const text of shouldBe.split(/, (?=(?:date|type|amount|description|category) )/)) {
      const [, field, value = ''] = FIELD.exec(text) ?? [];
      const change = {
        date: { entry_date: value },
        type: { type: value },
        amount: { amount_pence: Math.round(Number(value.replaceAll(',', '')) * 100) },
        description: { description: value },
        category: { category: value === 'none' ? null : value },
        property: { source_id: sourceId(text) },
      }[field ?? 'property'] as Record<string, unknown>;
      const { count } = await sql`update ledger.entry set ${sql(change)} where ${entry}`;
      if (count !== 1) throw new Error(`No entry was changed by ${action} ${id}: ${text}`);
    }
  }
}
