/** The schemas that the description names and refers to. */
import type { TSchema } from 'typebox';
import * as schemas from './schemas.ts';

/** Schemas that the description names; others are inlined. */
const COMPONENTS: Record<string, TSchema> = {
  Account: schemas.Account,
  Source: schemas.Source,
  SourceList: schemas.SourceList,
  Category: schemas.Category,
  CategorySet: schemas.CategorySet,
  CategorySets: schemas.CategorySets,
  Transaction: schemas.Transaction,
  TransactionInput: schemas.TransactionInput,
  TransactionInputs: schemas.TransactionInputs,
  TransactionList: schemas.TransactionList,
  EntryReference: schemas.EntryReference,
  Conflict: schemas.Conflict,
  CreateResult: schemas.CreateResult,
  Issue: schemas.Issue,
  Error: schemas.ErrorBody,
};
const NAMES = new Map(Object.entries(COMPONENTS).map(([name, schema]) => [schema as unknown, name]));

/** A schema with references in place of named schemas; `root` itself is inlined. */
export function described(schema: unknown, root?: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => described(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = NAMES.get(schema);
  if (name && schema !== root) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, described(value)]));
}

/** The named schemas. */
export const SCHEMAS = Object.fromEntries(
  Object.entries(COMPONENTS).map(([name, schema]) => [name, described(schema, schema)]),
);
