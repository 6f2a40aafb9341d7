// Original file: proto/ledger.proto

import type { Position as _ledger_v1_Position, Position__Output as _ledger_v1_Position__Output } from '../../ledger/v1/Position';

export interface Page {
  'entriesJson'?: (Buffer | Uint8Array | string);
  'last'?: (_ledger_v1_Position | null);
}

export interface Page__Output {
  'entriesJson': (Buffer);
  'last': (_ledger_v1_Position__Output | null);
}
