// Original file: proto/admin.proto

import type { Key as _ledger_v1_Key, Key__Output as _ledger_v1_Key__Output } from '../../ledger/v1/Key';

export interface ListKeysResponse {
  'keys'?: (_ledger_v1_Key)[];
}

export interface ListKeysResponse__Output {
  'keys': (_ledger_v1_Key__Output)[];
}
