// Original file: proto/ledger.proto

export const Rejection = {
  REJECTION_UNSPECIFIED: 'REJECTION_UNSPECIFIED',
  REJECTION_INVALID_KEY: 'REJECTION_INVALID_KEY',
  REJECTION_UPGRADE_REQUIRED: 'REJECTION_UPGRADE_REQUIRED',
} as const;

export type Rejection =
  | 'REJECTION_UNSPECIFIED'
  | 0
  | 'REJECTION_INVALID_KEY'
  | 1
  | 'REJECTION_UPGRADE_REQUIRED'
  | 2

export type Rejection__Output = typeof Rejection[keyof typeof Rejection]
