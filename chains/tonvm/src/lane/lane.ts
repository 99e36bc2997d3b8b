import { larger, ServiceError, smaller } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt } from '@causeway/core/chain'
import {
  type AccountPayments,
  broadcastInOrder,
  type Draft,
  PayingAccounts,
  type SequenceChain,
} from '@causeway/core/chain-kit'
import type { SweepForms } from '../depositAddress/sweepForms.js'
import type { TonSettings } from '../options.js'
import {
  type PaymentFormDeps,
  type PreparedMessage,
  paymentForm,
  preparedJson,
  readPrepared,
} from '../payout/paymentForm.js'
import { kindOf, requireAddresses, type TonFees } from '../payout/payoutFees.js'
import type { TonApi, TonNode } from '../rpc/tonApi.js'
import { askMoment, laneReading } from './accountReading.js'
import { signRequest, walletOf } from './signRequest.js'

/** A lower lifetime may have been configured since: earlier payments lived as long as payments do by default. */
const USUAL_LIFETIME = 120n
/** A wallet takes only its next number, and nodes refuse any other. */
const MOST_OPEN = 1

export interface TonPaymentsDeps extends PaymentFormDeps {
  readonly fees: TonFees
  readonly settings: Pick<
    TonSettings,
    'depository' | 'depositAccount' | 'networkId' | 'lifetimeSeconds' | 'maxFeeNanotons' | 'paymentsPerTransaction'
  >
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

/**
 * Payments by the seqno of wallets v5r1: that of the solver, of the depository and of the account of deposit addresses (chains.md tonvm 5). No
 * node shows a message before a wallet took it.
 */
export const tonPayments = (deps: TonPaymentsDeps): AccountPayments<TonNode> => {
  const { pool, wallets, settings, sweeps } = deps
  const { depository, depositAccount, networkId, lifetimeSeconds: lifetime } = settings
  const addressOf: SequenceChain<TonNode>['addressOf'] = (signer) => walletOf(signer, networkId).address
  const deposits =
    depositAccount === null || sweeps === null
      ? null
      : { account: depositAccount, signer: (seed: Uint8Array | undefined) => sweeps.accountSigner(seed) }
  const accounts = new PayingAccounts({ depository, deposits, addressOf })
  return {
    chain: {
      ...{ addressOf, others: accounts.others, accountOf: (payout) => accounts.accountOf(payout) },
      ...laneReading({ wallets, depositAccount }),
      draft: (items) => Promise.all(items.map(({ payout }) => draftOf(payout, accounts, deps))),
      sign: async (transaction, signer, allocator, seed) => {
        const request = readPrepared(transaction)
        return signRequest(request, {
          ...{ networkId, signer: accounts.keyOf(request.account, { signer, allocator, seed }) },
          keyOf: (address) => requireAddresses(sweeps).signer(address, seed),
        })
      },
      broadcast: (attempts) => broadcastInOrder(pool, attempts, { send: submit, isAside: () => false }),
    },
    order: { kind: 'strict', mostOpen: MOST_OPEN },
    lifetime,
    longestLifetime: larger(lifetime, USUAL_LIFETIME),
    cosigns: true,
    moment: askMoment,
    pointOf: ({ time }) => BigInt(time),
  }
}

/** Null where the payment cannot be made now: it may take more than its limit, or a sweep would move no money. */
const draftOf = async (payout: Payout, accounts: PayingAccounts, deps: TonPaymentsDeps): Promise<Draft | null> => {
  const { fees, settings, sweeps } = deps
  const account = accounts.accountOf(payout)
  const limit = smaller(payout.feeLimit ?? settings.maxFeeNanotons, settings.maxFeeNanotons)
  const [made, cost] = await Promise.all([
    messageOf(payout, account, deps),
    fees.cost(kindOf(payout.money.currency)),
  ])
  if (made === null) return null
  const feeCap = cost * 2n + made.attached
  if (feeCap > limit && cost + made.attached > limit) return null
  return (slot) => {
    if (payout.purpose === 'sweep') sweeps?.begun?.(payout, slot)
    const { sequence, until } = slot
    const transaction = { account, seqno: sequence.toString(), until: until.toString(), messages: [made.message] }
    return { transaction: preparedJson(transaction), feeCap: smaller(feeCap, limit) }
  }
}

interface MadeMessage {
  readonly message: PreparedMessage
  readonly attached: bigint
}

const messageOf = async (payout: Payout, account: string, deps: TonPaymentsDeps): Promise<MadeMessage | null> => {
  if (payout.purpose === 'sweep') return requireAddresses(deps.sweeps).message(payout)
  const { message, attached } = await paymentForm(payout, account, deps)
  return { message: { kind: 'pay', message }, attached }
}

/** Sends the bytes of one message to one node. */
const submit = (api: TonApi, { raw }: SignedAttempt, signal: AbortSignal): Promise<BroadcastResult> =>
  api.send(Buffer.from(raw.slice(2), 'hex'), signal)

/** @throws ServiceError SERVICE_UNAVAILABLE always: the seed gives no such account */
export const noAccountKey = (): never => {
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no account of deposit addresses.')
}
