// Original file: proto/ledger.proto

export const Refusal = {
  REFUSAL_UNSPECIFIED: 'REFUSAL_UNSPECIFIED',
  REFUSAL_INVALID_KEY: 'REFUSAL_INVALID_KEY',
  REFUSAL_UPGRADE_REQUIRED: 'REFUSAL_UPGRADE_REQUIRED',
  REFUSAL_READ_ONLY_KEY: 'REFUSAL_READ_ONLY_KEY',
} as const;

export type Refusal =
  | 'REFUSAL_UNSPECIFIED'
  | 0
  | 'REFUSAL_INVALID_KEY'
  | 1
  | 'REFUSAL_UPGRADE_REQUIRED'
  | 2
  | 'REFUSAL_READ_ONLY_KEY'
  | 3

export type Refusal__Output = typeof Refusal[keyof typeof Refusal]
