/** The app of the account holder: it changes, moves and removes entries, which the API cannot. Its effect on the database is simulated. */
import { admin, sql } from '../../fixtures/system.ts';
import type { House } from './rules.ts';
import type { AppChange } from './surface.ts';

/** Applies one line of a list of corrections. */
export async function correct(
  accountId: string,
  houses: ReadonlyMap<House, string>,
  appChange: AppChange,
): Promise<void> {
  const { id, action, house, date, pence, type, description, category } = appChange;
  if (action === 'remove') {
    await sql`delete from ledger.entry where account_id = ${accountId} and entry_id = ${id}`;
    return;
  }
  const source = house && houses.get(house);
  await sql`
    update ledger.entry
       set source_id = coalesce(${source ?? null}::uuid, source_id),
           entry_date = coalesce(${date ?? null}::date, entry_date),
           amount_pence = coalesce(${pence ?? null}::bigint, amount_pence),
           type = coalesce(${type ?? null}::text, type::text)::ledger.entry_type,
           description = coalesce(${description ?? null}, description),
           category = case when ${category !== undefined} then ${category || null} else category end
     where account_id = ${accountId} and entry_id = ${id}`;
}

export async function removeHouse(houses: Map<House, string>, house: House): Promise<void> {
  const id = houses.get(house);
  if (id === undefined) throw new Error(`There is no ${house}`);
  await admin.removeSource({ id });
  houses.delete(house);
}
