/** The resources of the API, by the types of its description. */
import type { components } from './api.generated.ts';

type Schemas = components['schemas'];

export type Account = Schemas['Account'];
export type Source = Schemas['Source'];
export type SourceType = Source['type'];
export type Category = Schemas['Category'];
export type CategorySet = Schemas['CategorySet'];
/** By source type; a version of the service may have more of these. */
export type CategorySets = Schemas['CategorySets'] & Record<SourceType, CategorySet>;
export type Transaction = Schemas['Transaction'];
export type NewTransaction = Schemas['TransactionInput'];
export type CreateResult = Schemas['CreateResult'];
