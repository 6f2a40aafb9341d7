// Original file: proto/ledger.proto


export interface IdempotencyKeyReused {
}

export interface IdempotencyKeyReused__Output {
}
