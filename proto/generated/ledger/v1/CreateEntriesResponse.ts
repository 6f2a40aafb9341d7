// Original file: proto/ledger.proto

import type { Created as _ledger_v1_Created, Created__Output as _ledger_v1_Created__Output } from '../../ledger/v1/Created';
import type { Refusal as _ledger_v1_Refusal, Refusal__Output as _ledger_v1_Refusal__Output } from '../../ledger/v1/Refusal';
import type { SourceNotFound as _ledger_v1_SourceNotFound, SourceNotFound__Output as _ledger_v1_SourceNotFound__Output } from '../../ledger/v1/SourceNotFound';
import type { InvalidCategories as _ledger_v1_InvalidCategories, InvalidCategories__Output as _ledger_v1_InvalidCategories__Output } from '../../ledger/v1/InvalidCategories';
import type { DailyCapReached as _ledger_v1_DailyCapReached, DailyCapReached__Output as _ledger_v1_DailyCapReached__Output } from '../../ledger/v1/DailyCapReached';
import type { IdempotencyKeyReused as _ledger_v1_IdempotencyKeyReused, IdempotencyKeyReused__Output as _ledger_v1_IdempotencyKeyReused__Output } from '../../ledger/v1/IdempotencyKeyReused';

export interface CreateEntriesResponse {
  'created'?: (_ledger_v1_Created | null);
  'refused'?: (_ledger_v1_Refusal);
  'sourceNotFound'?: (_ledger_v1_SourceNotFound | null);
  'invalidCategories'?: (_ledger_v1_InvalidCategories | null);
  'dailyCapReached'?: (_ledger_v1_DailyCapReached | null);
  'idempotencyKeyReused'?: (_ledger_v1_IdempotencyKeyReused | null);
  'outcome'?: "created"|"refused"|"sourceNotFound"|"invalidCategories"|"dailyCapReached"|"idempotencyKeyReused";
}

export interface CreateEntriesResponse__Output {
  'created'?: (_ledger_v1_Created__Output | null);
  'refused'?: (_ledger_v1_Refusal__Output);
  'sourceNotFound'?: (_ledger_v1_SourceNotFound__Output | null);
  'invalidCategories'?: (_ledger_v1_InvalidCategories__Output | null);
  'dailyCapReached'?: (_ledger_v1_DailyCapReached__Output | null);
  'idempotencyKeyReused'?: (_ledger_v1_IdempotencyKeyReused__Output | null);
  'outcome'?: "created"|"refused"|"sourceNotFound"|"invalidCategories"|"dailyCapReached"|"idempotencyKeyReused";
}
