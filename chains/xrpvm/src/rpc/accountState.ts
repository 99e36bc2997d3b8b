import { answerOf } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { ACCOUNT, DROPS, UINT32 } from './fields.js'

/** Flags of an account (`account_data.Flags`). */
export const ACCOUNT_FLAGS = {
  requireDestinationTag: 0x0002_0000,
  requireAuthorization: 0x0004_0000,
  disableMaster: 0x0010_0000,
  globalFreeze: 0x0040_0000,
  defaultRipple: 0x0080_0000,
  depositAuthorization: 0x0100_0000,
} as const

/** Thousand-millionths: an issuer that takes nothing of a transfer. */
export const TRANSFER_RATE_UNIT = 1_000_000_000n

const checkAccount = answerOf(
  Type.Object({
    account_data: Type.Object({
      Account: ACCOUNT,
      Balance: DROPS,
      Flags: UINT32,
      OwnerCount: UINT32,
      Sequence: UINT32,
      RegularKey: Type.Optional(ACCOUNT),
      TransferRate: Type.Optional(UINT32),
      AMMID: Type.Optional(Type.String()),
      TicketCount: Type.Optional(UINT32),
      PreviousTxnLgrSeq: Type.Optional(UINT32),
    }),
    signer_lists: Type.Optional(Type.Array(Type.Unknown())),
    ledger_index: UINT32,
    validated: Type.Literal(true),
  }),
)

/** An account in a validated ledger. */
export type AccountState = ReturnType<typeof readAccount>

/** Reads the answer of `account_info`. @throws ServiceError RPC_HTTP_ERROR for another shape */
export const readAccount = (answer: unknown) => {
  const { account_data: data, signer_lists: signers = [], ledger_index } = checkAccount(answer)
  return {
    height: BigInt(ledger_index),
    /** In drops. */
    balance: BigInt(data.Balance),
    flags: data.Flags,
    /** How many objects it must keep a reserve for. */
    owned: BigInt(data.OwnerCount),
    sequence: BigInt(data.Sequence),
    tickets: data.TicketCount ?? 0,
    regularKey: data.RegularKey ?? null,
    hasSigners: signers.length > 0,
    /** The cost of a transfer of its own currencies, in `TRANSFER_RATE_UNIT`; 0 is written where it took its rate back. */
    transferRate: BigInt(data.TransferRate ?? 0) || TRANSFER_RATE_UNIT,
    isAmm: data.AMMID !== undefined,
    /** The last ledger in which it changed; absent where the server does not say. */
    ...(data.PreviousTxnLgrSeq === undefined ? {} : { changedAt: BigInt(data.PreviousTxnLgrSeq) }),
  }
}

const flag = Type.Optional(Type.Boolean())
const lineSchema = Type.Object({
  ...{ account: ACCOUNT, currency: Type.String(), balance: Type.String(), limit: Type.String() },
  ...{ no_ripple: flag, freeze_peer: flag, deep_freeze: flag, deep_freeze_peer: flag, peer_authorized: flag },
})

/** A trust line as the account that was asked about sees it: `limit` is its own, `balance` is below zero where it owes. */
export type TrustLine = Static<typeof lineSchema>

/** Reads the answer of `account_lines`. @throws ServiceError RPC_HTTP_ERROR for another shape */
export const readLines = answerOf(
  Type.Object({
    ...{ lines: Type.Array(lineSchema), ledger_index: UINT32, validated: Type.Literal(true) },
    marker: Type.Optional(Type.Unknown()),
  }),
)
