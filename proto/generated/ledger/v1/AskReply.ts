// Original file: proto/ledger.proto

import type { Answer as _ledger_v1_Answer, Answer__Output as _ledger_v1_Answer__Output } from '../../ledger/v1/Answer';

export interface AskReply {
  'answers'?: (_ledger_v1_Answer)[];
}

export interface AskReply__Output {
  'answers': (_ledger_v1_Answer__Output)[];
}
