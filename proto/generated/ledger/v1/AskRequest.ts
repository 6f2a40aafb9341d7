// Original file: proto/ledger.proto

import type { Question as _ledger_v1_Question, Question__Output as _ledger_v1_Question__Output } from '../../ledger/v1/Question';

export interface AskRequest {
  'questions'?: (_ledger_v1_Question)[];
  'withdrawn'?: (number)[];
}

export interface AskRequest__Output {
  'questions': (_ledger_v1_Question__Output)[];
  'withdrawn': (number)[];
}
