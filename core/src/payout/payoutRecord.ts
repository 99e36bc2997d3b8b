import type { Json } from '../chain/chainAdapter.js'
import type {
  Payout,
  PayoutPurpose,
  PreparedAttempt,
  SignedAttempt,
  WithdrawAuthorization,
} from '../chain/laneAdapter.js'
import type { Hex } from '../money/hex.js'

/** Where a payout stands: `signed` from its first stored attempt on, `included` on the chain, `final` beyond any reorg. */
export type PayoutState = 'ready' | 'signed' | 'included' | 'final' | 'dead' | 'abandoned'

/** What is to happen next with a payout, or the reason it waits. */
export type PayoutAction = 'sign' | 'await-limit' | 'broadcast' | 'track' | 'prove-dead' | 'settle' | 'await-withdrawal'

/** Facts of a payout that only its own steps read. */
export interface PayoutData {
  /** `fill`: part of the deposit that returns in an excess payout once the fill is final, origin currency. */
  readonly excess?: string
  readonly authorization?: WithdrawAuthorization
  /** Gas the simulation of the decision used, so that signing asks the chain nothing. */
  readonly gas?: string
  /** Why a cancelled generation is to end in a refund. */
  readonly cancelled?: 'TRANSACTION_NOT_INCLUDED' | 'TRANSACTION_SUBMISSION_FAILED'
}

/** The deposit behind a payout. */
export interface PayoutDeposit {
  readonly id: string
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
  /** Unix milliseconds at which the watcher stored it. */
  readonly seenAt: number
}

export interface StoredAttempt extends SignedAttempt {
  readonly generation: number
  readonly version: number
  readonly state: 'stored' | 'broadcast' | 'rejected' | 'included' | 'reverted'
  /** Unix milliseconds of the last broadcast. */
  readonly broadcastAt: number | null
  readonly blockHash: string | null
  readonly fee: bigint | null
  readonly currencyFee: bigint | null
}

export interface StoredPayout {
  readonly id: string
  readonly purpose: PayoutPurpose
  readonly requestId: Hex | null
  readonly orderId: Hex
  readonly chainId: number
  readonly signer: string
  readonly recipient: string
  readonly currency: string
  readonly amount: bigint
  readonly fees: bigint
  readonly data: PayoutData
  readonly state: PayoutState
  readonly generation: number
  readonly inclusions: number
  readonly includedHeight: bigint | null
  /** Times it was put off. */
  readonly attempts: number
  readonly createdAt: number
  readonly firstBroadcastAt: number | null
  readonly action: PayoutAction | null
  readonly deposit: PayoutDeposit
  /** Attempts of the live generation, oldest first. */
  readonly live: readonly StoredAttempt[]
}

/** The payout as a chain adapter takes it. */
export const toChainPayout = (payout: StoredPayout): Payout => ({
  purpose: payout.purpose,
  orderId: payout.orderId,
  from: payout.signer,
  to: { address: payout.recipient },
  money: { currency: payout.currency, amount: payout.amount },
  calls: [],
  ...(payout.data.authorization === undefined ? {} : { authorization: payout.data.authorization }),
})

/** The newest version of the live generation. */
export const latestAttempt = (payout: StoredPayout): StoredAttempt | undefined => payout.live.at(-1)

/** JSON of what was prepared, as the attempt row keeps it. */
export const serializePrepared = (attempt: PreparedAttempt): string =>
  JSON.stringify({ transaction: attempt.transaction, guards: attempt.guards })

export const parsePrepared = (text: string): { transaction: Json; guards: string[] } => JSON.parse(text)
