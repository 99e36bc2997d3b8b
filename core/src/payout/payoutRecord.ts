import type { DepositAddress } from '../chain/address/depositAddresses.js'
import type { Destination } from '../chain/chainReferences.js'
import type { Json } from '../chain/json.js'
import type {
  Delegation,
  PayoutPurpose,
  PreparedAttempt,
  SignedAttempt,
  WithdrawAuthorization,
} from '../chain/laneAdapter.js'
import type { FailReason } from '../errors/failReason.js'
import type { ClaimedMoney } from '../ledger/postings.js'
import type { Hex } from '../money/hex.js'
import type { PayoutOrigin } from './origin/originData.js'
import type { PayoutState } from './payoutState.js'

/** What is to happen next with a payout, or the reason it waits. */
export type PayoutAction =
  | 'sign'
  | 'await-limit'
  | 'await-release'
  | 'broadcast'
  | 'track'
  | 'prove-dead'
  | 'settle'
  | 'await-withdrawal'

/** Facts of a payout that only its own steps read. */
export interface PayoutData {
  /** `fill`: part of the deposit that returns in an excess payout once the fill is final, origin currency. */
  readonly excess?: string
  readonly authorization?: WithdrawAuthorization
  /** Gas the simulation of the decision used, so that signing asks the chain nothing. */
  readonly gas?: string
  /** Part of the payment that the simulation of the decision did not run, in plain words; absent: it ran all of it. */
  readonly notRun?: string
  /** `fill`: most that its transaction may take of the native currency: what the order was charged, and the tolerance. */
  readonly feeLimit?: string
  /** `fill`: the swap within it, as `swapOrderJson` writes it. */
  readonly swap?: Json
  /** `fill`: native currency beside the payment, amount as decimal text. */
  readonly topup?: { readonly currency: string; readonly amount: string }
  /** `fill`: part of the fees that is owed to an integrator, origin currency, amount as decimal text. */
  readonly integratorFee?: { readonly integratorId: string; readonly amount: string }
  /** `fill`: what wallets earn by it, amounts as decimal text. */
  readonly earnings?: PayoutEarnings
  /** `fill`: what its sponsor pays, amounts as decimal text. */
  readonly sponsorship?: PayoutSponsorship
  /** `fill` of a fast fill: whose balance covers it, and what of the deposit that is to come it takes, origin currency. */
  readonly fastFill?: PayoutFastFill
  /** `claim`: what it takes of its wallet's balance, amounts as decimal text. */
  readonly claim?: PayoutClaim
  /** `origin`: what is sent for a user, and who bears what it costs. */
  readonly origin?: PayoutOrigin
  /** `fill`: calls that the payment is for. */
  readonly calls?: PayoutCallsJson
  /** Why a generation was cancelled, or brought its recipient nothing: it ends in a refund, but where only its deposit was gone. */
  readonly cancelled?: CancelReason
  /** `fill`: what the chain said of a transaction of the live generation that reverted, cut. */
  readonly revert?: string
  /** `fill`: less than its amount arrived, and so much of `excess` is for what is missing (`shortFills.ts`). */
  readonly short?: { readonly arrived: string; readonly excess: string }
  /** `sweep`: canonical currencies that it takes along. */
  readonly currencies?: readonly string[]
  /** `sweep`: height of the newest block that had one of the same address when it was ordered. */
  readonly after?: string
  /** The generation that was first called dead when the chain had this height, to be judged once more (F122). */
  readonly seemsDead?: { readonly generation: number; readonly height: string }
}

/** `TermsEarnings` as JSON; `holder` is the wallet. */
export interface PayoutEarnings {
  readonly chainId: number
  readonly currency: string
  readonly list: readonly {
    readonly holder: string
    readonly kind: 'app' | 'integrator' | 'rate'
    readonly bps?: string
    readonly amount: string
    readonly fromDeposit: string
    readonly worth: string
  }[]
}

/** `TermsSponsorship` as JSON; SQL reads it (`appBalancesSql.ts`). */
export interface PayoutSponsorship {
  readonly holder: string
  readonly chainId: number
  readonly currency: string
  readonly amount: string
  readonly fees: string
  readonly rateCost: string
}

/** A fast fill as its payout knows it, amount as decimal text. */
export interface PayoutFastFill {
  /** The wallet, in lower case. */
  readonly holder: string
  readonly chainId: number
  readonly currency: string
  readonly amount: string
}

/** What a claim takes out of a balance; `fee` is the part of `amount` that is kept for paying it elsewhere (wire.md 4.12). */
export interface PayoutClaim {
  readonly holder: string
  readonly chainId: number
  readonly currency: string
  readonly amount: string
  readonly fee: string
}

/** Reasons to give a generation up that its transactions do not show by a revert (wire.md C.2). */
export type GivenUp = Extract<
  FailReason,
  'TRANSACTION_NOT_INCLUDED' | 'TRANSACTION_SUBMISSION_FAILED' | 'DESTINATION_TOKEN_TRANSFER_REJECTED'
>

export type CancelReason = GivenUp | 'DEPOSIT_REORGED'

/** Calls of a fill as JSON. */
export interface PayoutCallsJson {
  readonly list: readonly { readonly to: string; readonly data: Hex; readonly value: string }[]
  readonly gasLimit?: string
  readonly delegations?: readonly Delegation[]
}

/** The deposit behind a payout. */
export interface PayoutDeposit {
  readonly id: string
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
  /** Unix milliseconds at which the watcher stored it. */
  readonly seenAt: number
  /** False: it left the chain, as far as the watcher has read. */
  readonly onChain: boolean
}

/** The address of a sweep. */
export interface PayoutAddress extends DepositAddress {
  readonly id: string
}

export interface StoredAttempt extends SignedAttempt {
  readonly generation: number
  readonly version: number
  readonly state: 'stored' | 'broadcast' | 'rejected' | 'included' | 'reverted'
  /** Unix milliseconds of the last broadcast. */
  readonly broadcastAt: number | null
  readonly blockHeight: bigint | null
  readonly blockHash: string | null
  readonly fee: bigint | null
  /** As `AttemptState.feeFrom`; null: the lane's wallet. */
  readonly feeFrom: 'capital' | null
  readonly currencyFee: bigint | null
  /** How often it left the chain. */
  readonly reorgs: number
  /** True where another payout of its transaction has the bytes, the guards and the fee. */
  readonly carried: boolean
}

export interface StoredPayout {
  readonly id: string
  readonly purpose: PayoutPurpose
  readonly requestId: Hex | null
  readonly orderId: Hex
  readonly chainId: number
  readonly signer: string
  readonly recipient: Destination
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
  /** Unix milliseconds since when something stands in its way; null while nothing does. */
  readonly troubleSince: number | null
  readonly createdAt: number
  readonly firstBroadcastAt: number | null
  readonly action: PayoutAction | null
  /** What it is made for; null where the operator ordered it (`send`, `approve`), of a sweep, of what is sent for a user (`origin`), and of a fast fill until that is settled. */
  readonly deposit: PayoutDeposit | null
  /** What a sweep empties; null of anything else. */
  readonly address: PayoutAddress | null
  /** Attempts of the live generation, oldest first. */
  readonly live: readonly StoredAttempt[]
}

/** The chain whose deposit a payout rests on; null where it rests on none. A fast fill rests on one that is to come. */
export const originOf = ({ deposit, data }: StoredPayout): number | null =>
  deposit?.chainId ?? data.fastFill?.chainId ?? null

/** The deposit of a payout that has one by its purpose. @throws Error for any other */
export const depositOf = ({ id, purpose, deposit }: StoredPayout): PayoutDeposit => {
  if (deposit === null) throw new Error(`Payout ${id} (${purpose}) has no deposit.`)
  return deposit
}

/** What a claim takes of a balance. @throws Error for a payout that is none */
export const claimOf = ({
  id,
  purpose,
  data: { claim },
}: Pick<StoredPayout, 'id' | 'purpose' | 'data'>): ClaimedMoney => {
  if (claim === undefined) throw new Error(`Payout ${id} (${purpose}) is no claim.`)
  return { ...claim, amount: BigInt(claim.amount), fee: BigInt(claim.fee) }
}

/** What an origin transaction sends. @throws Error for a payout that is none */
export const originTransactionOf = ({
  id,
  purpose,
  data: { origin },
}: Pick<StoredPayout, 'id' | 'purpose' | 'data'>) => {
  if (origin === undefined) throw new Error(`Payout ${id} (${purpose}) sends nothing for a user.`)
  return origin
}

/** One attempt of a payout, stored, and what it pays. */
export interface PayoutAttempt {
  readonly payout: StoredPayout
  readonly attempt: StoredAttempt
}

/** The newest version of the live generation. */
export const latestAttempt = (payout: StoredPayout): StoredAttempt | undefined => payout.live.at(-1)

/** JSON of what was prepared, as the attempt row keeps it. */
export const serializePrepared = (attempt: PreparedAttempt): string =>
  JSON.stringify({ transaction: attempt.transaction, guards: attempt.guards })

export const parsePrepared = (text: string): { transaction: Json; guards: string[] } => JSON.parse(text)
