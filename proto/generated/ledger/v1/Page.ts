// Original file: proto/ledger.proto

import type { Entry as _ledger_v1_Entry, Entry__Output as _ledger_v1_Entry__Output } from '../../ledger/v1/Entry';
import type { Position as _ledger_v1_Position, Position__Output as _ledger_v1_Position__Output } from '../../ledger/v1/Position';

export interface Page {
  'entries'?: (_ledger_v1_Entry)[];
  'hasMore'?: (boolean);
  'entriesJson'?: (Buffer | Uint8Array | string);
  'last'?: (_ledger_v1_Position | null);
}

export interface Page__Output {
  'entries': (_ledger_v1_Entry__Output)[];
  'hasMore': (boolean);
  'entriesJson': (Buffer);
  'last': (_ledger_v1_Position__Output | null);
}
