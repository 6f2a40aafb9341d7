// Original file: proto/ledger.proto


export interface SourceNotFound {
}

export interface SourceNotFound__Output {
}
