/** Sources as the API lists them. */
import type { Source } from '../../../clients/typescript/index.ts';

/** A UK property that is called by its id, unless `fields` say otherwise. */
export const sourceOf = (id: string, fields: Partial<Source> = {}): Source => ({
  id,
  name: id,
  type: 'uk-property',
  countryCode: null,
  role: 'owner',
  sharePercent: 100,
  transactionCount: 0,
  ...fields,
});
