import { larger, smaller } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import {
  type AccountPayments,
  broadcastInOrder,
  type Draft,
  PayingAccounts,
  paymentMemo,
  type SequenceChain,
} from '@causeway/core/chain-kit'
import type { SweepForms } from '../depositAddress/depositAddresses.js'
import type { TonSettings } from '../options.js'
import {
  type MessageForm,
  type PaymentFormDeps,
  paymentForm,
  preparedJson,
  readPrepared,
} from '../payout/paymentForm.js'
import { requireAddresses, type TonFees } from '../payout/payoutFees.js'
import type { TonNode } from '../rpc/tonApi.js'
import { askMoment, laneReading } from './accountReading.js'
import { signRequest, walletOf } from './signRequest.js'

/** A lower lifetime may have been configured since: earlier payments lived as long as payments do by default. */
const USUAL_LIFETIME = 120n
/** Nodes refuse all but the next number, so the others wait here and are sent again. */
const MOST_OPEN = 4
/** A wallet v5r1 takes 255 actions. */
const PAYMENTS_PER_TRANSACTION = 50

export interface TonPaymentsDeps
  extends PaymentFormDeps,
    Pick<TonSettings, 'depository' | 'depositAccount' | 'networkId' | 'lifetimeSeconds' | 'maxFeeNanotons'> {
  readonly fees: TonFees
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

/**
 * Payments by the seqno of wallets v5r1: that of the solver, of the depository and of the account of deposit addresses (chains.md tonvm 5). No
 * node shows a message before a wallet took it.
 */
export const tonPayments = (deps: TonPaymentsDeps): AccountPayments<TonNode> => {
  const { pool, wallets, sweeps, depository, depositAccount, networkId, lifetimeSeconds: lifetime } = deps
  const addressOf: SequenceChain<TonNode>['addressOf'] = (signer) => walletOf(signer, networkId).address.toRawString()
  const accounts = new PayingAccounts({ depository, deposits: sweeps?.shared ?? null, addressOf })
  return {
    chain: {
      ...{ addressOf, others: accounts.others, accountOf: (payout) => accounts.accountOf(payout) },
      ...laneReading({ wallets, depositAccount }),
      draft: (items) => draftAll(items, accounts, deps),
      sign: async (transaction, signer, allocator, seed) => {
        const request = readPrepared(transaction)
        return signRequest(request, {
          ...{ networkId, signer: accounts.keyOf(request.account, { signer, allocator, seed }) },
          ownerOf: ({ address }) => requireAddresses(sweeps).signer(address, seed),
        })
      },
      broadcast: (attempts) =>
        broadcastInOrder(pool, attempts, {
          send: (api, { raw }, signal) => api.send(Buffer.from(raw.slice(2), 'hex'), signal),
          isAside: () => false,
        }),
    },
    order: { kind: 'strict', mostOpen: MOST_OPEN },
    payoutsPerTransaction: PAYMENTS_PER_TRANSACTION,
    lifetime,
    longestLifetime: larger(lifetime, USUAL_LIFETIME),
    cosigns: true,
    moment: askMoment,
    pointOf: ({ time }) => BigInt(time),
  }
}

/**
 * Drafts of payouts; those of one wallet share a request, and so a number. Payouts of equal recipient and memo never share one, since each
 * could be taken for the other. Null for a payout that cannot be made now.
 */
const draftAll = async (
  items: readonly { readonly payout: Payout }[],
  accounts: PayingAccounts,
  deps: TonPaymentsDeps,
): Promise<readonly (Draft | null)[]> => {
  const made = await Promise.all(items.map(({ payout }) => madeOf(payout, accounts.accountOf(payout), deps)))
  const groups: Made[][] = []
  const groupOf = (one: Made): Made[] => {
    const joined = groups.find(
      (group) =>
        group.length < PAYMENTS_PER_TRANSACTION &&
        group.every(({ account, name }) => account === one.account && name !== one.name),
    )
    const group = joined ?? []
    if (joined === undefined) groups.push(group)
    group.push(one)
    return group
  }
  const grouped = made.map((one) => one && groupOf(one))
  const drafts = new Map(groups.map((group) => [group, draftOf(group, deps)]))
  return grouped.map((group) => (group && drafts.get(group)) ?? null)
}

/** A payment of a request, and the most that it may cost. */
interface Made {
  readonly message: MessageForm
  readonly payout: Payout
  readonly account: string
  /** Recipient and memo, by which the lane finds the payment in its transaction. */
  readonly name: string
  readonly feeCap: bigint
}

/**
 * Null where the payment costs more than its limit, or a sweep would move no money. What a transfer of jettons attaches is no cost, since
 * the rest returns: the limit of the chain alone bounds it.
 */
const madeOf = async (payout: Payout, account: string, deps: TonPaymentsDeps): Promise<Made | null> => {
  const { fees, maxFeeNanotons: most } = deps
  const limit = smaller(payout.feeLimit ?? most, most)
  const plan = payout.purpose === 'sweep' ? await requireAddresses(deps.sweeps).plan(payout) : null
  if (plan?.ok === false) return null
  const { message, attached } = plan?.payment ?? (await paymentForm(payout, account, deps))
  const cost = await fees.cost(payout.money.currency, message.carried !== undefined)
  const feeCap = smaller(cost * 2n + attached, attached > 0n ? most : limit)
  const name = `${payout.to.address} ${paymentMemo(payout)}`
  return cost > limit || attached > most ? null : { message, payout, account, name, feeCap }
}

const draftOf =
  (group: readonly Made[], { sweeps }: TonPaymentsDeps): Draft =>
  (slot) => {
    for (const { payout } of group) if (payout.purpose === 'sweep') sweeps?.begun?.(payout, slot)
    const { sequence, until } = slot
    const messages = group.map(({ message }) => message)
    const [account = ''] = group.map((one) => one.account)
    const transaction = preparedJson({ account, seqno: sequence.toString(), until: until.toString(), messages })
    return { transaction, feeCap: group.reduce((sum, { feeCap }) => sum + feeCap, 0n) }
  }
