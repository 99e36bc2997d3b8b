import type { proto } from '@hiero-ledger/proto'

/** Hundred-millionths of a cent. */
export const CENT = 100_000_000n

/** Kinds of transactions, as bodies name them: function of the fee schedule, and price in hundred-millionths of a cent. */
export const KINDS = {
  cryptoTransfer: ['CryptoTransfer', CENT / 100n],
  cryptoCreateAccount: ['CryptoCreate', 5n * CENT],
  cryptoUpdateAccount: ['CryptoUpdate', (22n * CENT) / 1000n],
  cryptoDelete: ['CryptoDelete', CENT / 2n],
  cryptoApproveAllowance: ['CryptoApproveAllowance', 5n * CENT],
  tokenCreation: ['TokenCreate', 100n * CENT],
  tokenAssociate: ['TokenAssociateToAccount', 5n * CENT],
  tokenMint: ['TokenMint', CENT / 10n],
  tokenFreeze: ['TokenFreezeAccount', CENT / 10n],
  tokenUnfreeze: ['TokenUnfreezeAccount', CENT / 10n],
  tokenGrantKyc: ['TokenGrantKycToAccount', CENT / 10n],
  tokenRevokeKyc: ['TokenRevokeKycFromAccount', CENT / 10n],
  tokenPause: ['TokenPause', CENT / 10n],
  tokenUnpause: ['TokenUnpause', CENT / 10n],
  tokenDeletion: ['TokenDelete', CENT / 10n],
  tokenFeeScheduleUpdate: ['TokenFeeScheduleUpdate', CENT / 10n],
  scheduleCreate: ['ScheduleCreate', CENT],
  scheduleSign: ['ScheduleSign', CENT / 10n],
  contractCall: ['ContractCall', 5n * CENT],
} as const satisfies Partial<
  Record<keyof proto.ITransactionBody, readonly [keyof typeof proto.HederaFunctionality, bigint]>
>

export type Kind = keyof typeof KINDS

/** Undefined: the local network does not know the kind of the body. */
export const kindOf = (body: proto.ITransactionBody): Kind | undefined =>
  // CAST: keys of the table.
  (Object.keys(KINDS) as Kind[]).find((kind) => body[kind] !== null && body[kind] !== undefined)

export const mirrorName = (kind: Kind): string => kind.toUpperCase()
