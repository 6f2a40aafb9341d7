// Original file: proto/ledger.proto

import type { Source as _ledger_v1_Source, Source__Output as _ledger_v1_Source__Output } from '../../ledger/v1/Source';

export interface Sources {
  'sources'?: (_ledger_v1_Source)[];
}

export interface Sources__Output {
  'sources': (_ledger_v1_Source__Output)[];
}
