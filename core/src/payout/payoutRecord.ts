import type { Destination } from '../chain/chainReferences.js'
import type { Json } from '../chain/json.js'
import type {
  Delegation,
  Payout,
  PayoutPurpose,
  PreparedAttempt,
  SentAttempt,
  SignedAttempt,
  WithdrawAuthorization,
} from '../chain/laneAdapter.js'
import { readSwapOrder, type SwapOrder, swapOrderJson } from '../chain/swaps.js'
import { locatorMember } from '../chain/txLocator.js'
import type { FailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import type { RepriceDecision } from '../quote/quoteEngine.js'
import type { QuoteTerms } from '../quote/quoteTerms.js'
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
  /** `fill`: most that its transaction may take of the native currency: what the order was charged, and the tolerance. */
  readonly feeLimit?: string
  /** `fill`: the swap within it, as `swapOrderJson` writes it. */
  readonly swap?: Json
  /** `fill`: native currency beside the payment, amount as decimal text. */
  readonly topup?: { readonly currency: string; readonly amount: string }
  /** `fill`: part of the fees that is owed to an integrator, origin currency, amount as decimal text. */
  readonly integratorFee?: { readonly integratorId: string; readonly amount: string }
  /** `fill`: calls that the payment is for. */
  readonly calls?: PayoutCallsJson
  /** Why a generation was cancelled, or brought its recipient nothing: it ends in a refund, but where only its deposit was gone. */
  readonly cancelled?: CancelReason
  /** `fill`: what the chain said of a transaction of the live generation that reverted, cut. */
  readonly revert?: string
  /** `fill`: less than its amount arrived, and so much of `excess` is for what is missing (`shortFills.ts`). */
  readonly short?: { readonly arrived: string; readonly excess: string }
  /** The generation that was first called dead when the chain had this height, to be judged once more (F122). */
  readonly seemsDead?: { readonly generation: number; readonly height: string }
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

/** The part of a payout's data that shapes its transaction, and how it is stored. */
type FillForm = Pick<Payout, 'calls' | 'swap' | 'topup' | 'callsGasLimit' | 'delegations'>

/** The form of a fill by the terms of its quote; `swap` as priced now. */
export const fillFormOf = (
  { calls, topup }: Pick<QuoteTerms, 'calls' | 'topup'>,
  swap: SwapOrder | undefined,
): FillForm => ({
  calls: calls?.calls ?? [],
  ...(swap === undefined ? {} : { swap }),
  ...(topup === undefined ? {} : { topup: topup.amount }),
  ...(calls === undefined || calls.gasLimit === null ? {} : { callsGasLimit: calls.gasLimit }),
  ...(calls === undefined || calls.delegations.length === 0 ? {} : { delegations: calls.delegations }),
})

/** What of a fill's form is stored with it. */
export const fillFormData = (form: FillForm): Pick<PayoutData, 'swap' | 'calls'> => ({
  ...(form.swap === undefined ? {} : { swap: swapOrderJson(form.swap) }),
  ...(form.calls.length === 0
    ? {}
    : {
        calls: {
          list: form.calls.map((call) => ({ ...call, value: call.value.toString() })),
          ...(form.callsGasLimit === undefined ? {} : { gasLimit: form.callsGasLimit.toString() }),
          ...(form.delegations === undefined ? {} : { delegations: form.delegations }),
        },
      }),
})

/** What of a deposit a fill leaves over, and what of its fees is an integrator's, as stored with it. */
export const keptData = ({
  excess,
  integratorFee,
}: Pick<Extract<RepriceDecision, { action: 'fill' }>, 'excess' | 'integratorFee'>): Pick<
  PayoutData,
  'excess' | 'integratorFee'
> => ({
  ...(excess > 0n ? { excess: excess.toString() } : {}),
  ...(integratorFee === undefined
    ? {}
    : { integratorFee: { ...integratorFee, amount: integratorFee.amount.toString() } }),
})

const fillForm = ({ swap, topup, calls }: PayoutData): FillForm => ({
  calls: calls?.list.map((call) => ({ ...call, value: BigInt(call.value) })) ?? [],
  ...(swap === undefined ? {} : { swap: readSwapOrder(swap) }),
  ...(topup === undefined ? {} : { topup: BigInt(topup.amount) }),
  ...(calls?.gasLimit === undefined ? {} : { callsGasLimit: BigInt(calls.gasLimit) }),
  ...(calls?.delegations === undefined ? {} : { delegations: calls.delegations }),
})

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

export interface StoredAttempt extends SignedAttempt {
  readonly generation: number
  readonly version: number
  readonly state: 'stored' | 'broadcast' | 'rejected' | 'included' | 'reverted'
  /** Unix milliseconds of the last broadcast. */
  readonly broadcastAt: number | null
  readonly blockHeight: bigint | null
  readonly blockHash: string | null
  readonly fee: bigint | null
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
  readonly deposit: PayoutDeposit
  /** Attempts of the live generation, oldest first. */
  readonly live: readonly StoredAttempt[]
}

/** The payout as a chain adapter takes it. */
export const toChainPayout = (payout: StoredPayout): Payout => ({
  purpose: payout.purpose,
  orderId: payout.orderId,
  from: payout.signer,
  to: payout.recipient,
  money: { currency: payout.currency, amount: payout.amount },
  ...fillForm(payout.data),
  ...(payout.data.feeLimit === undefined ? {} : { feeLimit: BigInt(payout.data.feeLimit) }),
  ...(payout.data.authorization === undefined ? {} : { authorization: payout.data.authorization }),
})

/** A stored attempt as the chain is asked about it. */
export const toSentAttempt = (payout: StoredPayout, attempt: StoredAttempt): SentAttempt => ({
  txId: attempt.txId,
  ...locatorMember(attempt),
  payout: toChainPayout(payout),
})

/** The newest version of the live generation. */
export const latestAttempt = (payout: StoredPayout): StoredAttempt | undefined => payout.live.at(-1)

/** JSON of what was prepared, as the attempt row keeps it. */
export const serializePrepared = (attempt: PreparedAttempt): string =>
  JSON.stringify({ transaction: attempt.transaction, guards: attempt.guards })

export const parsePrepared = (text: string): { transaction: Json; guards: string[] } => JSON.parse(text)
