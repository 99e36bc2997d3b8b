import { larger, smaller } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt, Signer } from '@causeway/core/chain'
import {
  type AccountPayments,
  askInOrder,
  broadcastInTurn,
  type Draft,
  evmAddressOfKey,
  PayingAccounts,
} from '@causeway/core/chain-kit'
import { SECOND } from '../address/times.js'
import type { HederaSettings } from '../options.js'
import { type PaymentForm, paymentForm, preparedJson, readPrepared } from '../payout/paymentForm.js'
import { feeToOffer } from '../payout/prices.js'
import { type HederaSimulatorDeps, requireSweeps } from '../payout/simulator.js'
import { LONGEST_WINDOW } from '../read/transactions.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { askMoment, laneReading } from './accountReading.js'
import type { ConsensusNodes } from './consensusNodes.js'
import { untilOf } from './sentTransaction.js'
import { partsOf, signPayment } from './signPayment.js'
import { entriesOf } from './transfers.js'

/** Payments begin so long before now: nodes refuse what begins after their own time. */
const START_MARGIN = 5n * SECOND
/** Blocks after the first verdict that a payment is dead: a mirror node may have answered from a copy that is behind. */
const DEATH_MARGIN_BLOCKS = 10

export interface HederaPaymentsDeps extends HederaSimulatorDeps {
  readonly nodes: ConsensusNodes
  readonly settings: Pick<HederaSettings, 'depository' | 'windowSeconds' | 'maxFeeTinybars' | 'mirrorLagBlocks'>
  /** Consensus time now in nanoseconds, by the clock of this process and the newest block. */
  now(): Promise<bigint>
}

/**
 * Payments of the solver by transaction ids: payer and valid start, which is the number of a payment (chains.md hederavm 5). The solver pays
 * each fee; depository and deposit addresses sign for their money beside it. No node shows a payment before it lands.
 */
export const hederaPayments = (deps: HederaPaymentsDeps): AccountPayments<MirrorNode> => {
  const { settings, ids, nodes } = deps
  const { depository, windowSeconds: lifetime } = settings
  const addressOf = ({ publicKey }: Signer) => evmAddressOfKey(publicKey)
  const accounts = new PayingAccounts({ depository, deposits: null, addressOf })
  const reading = laneReading({ ...settings, ids })
  let now = 0n
  return {
    chain: {
      addressOf,
      ...reading,
      // A lane is read before it pays: only then are the consensus nodes and the SDK needed.
      list: (node, account, since) => {
        nodes.warm()
        return reading.list(node, account, since)
      },
      paysBySuccess: true,
      draft: async (items) => {
        const [time, drafts] = await Promise.all([
          deps.now(),
          Promise.all(items.map(({ payout }) => draftOf(payout, deps))),
        ])
        now = larger(now, time)
        return drafts
      },
      sign: async (transaction, signer, allocator, seed) => {
        const payment = readPrepared(transaction)
        const { sweep, entries } = payment
        const from = entries.find(({ amount }) => amount.startsWith('-'))?.account ?? ''
        const owner =
          sweep === null ? accounts.keyOf(from, { signer, allocator }) : requireSweeps(deps.sweeps).signer(sweep, seed)
        return signPayment(payment, owner === signer ? [signer] : [signer, owner])
      },
      broadcast: (attempts) => Promise.all(attempts.map((attempt) => submit(attempt, nodes))),
    },
    order: { kind: 'free', least: () => now - START_MARGIN, until: (start) => untilOf(start, lifetime) },
    lifetime,
    longestLifetime: LONGEST_WINDOW,
    deathMargin: DEATH_MARGIN_BLOCKS,
    cosigns: true,
    moment: (node) => askMoment(node, settings.mirrorLagBlocks),
    pointOf: ({ time }) => BigInt(time),
  }
}

/** Null where the payment cannot be made now: the fee is above its limit, or a sweep would move no money. */
const draftOf = async (payout: Payout, deps: HederaPaymentsDeps): Promise<Draft | null> => {
  const { ids, pool, nodes, settings, sweeps } = deps
  const [form, tinybars, payer, chosen] = await Promise.all([
    formOf(payout, deps),
    deps.rate(),
    // Transaction ids name its number. A wrong one only makes the signature invalid.
    askInOrder(pool, (node) => ids.required(node, payout.from)),
    nodes.choose(),
  ])
  if (form === null) return null
  const limit = smaller(payout.feeLimit ?? settings.maxFeeTinybars, settings.maxFeeTinybars)
  const maxFee = feeToOffer(tinybars(form.price), limit)
  if (maxFee === null) return null
  const { from, to, currency, amounts, memo, sweep } = form
  const entries = entriesOf(from, to, { currency, amount: amounts.sent })
  return (slot) => {
    if (payout.purpose === 'sweep') sweeps?.begun?.(payout, slot)
    const [start, duration] = [slot.sequence.toString(), settings.windowSeconds.toString()]
    const payment = { payer, start, duration, maxFee: maxFee.toString(), memo, nodes: chosen, entries, sweep }
    return { transaction: preparedJson(payment), feeCap: maxFee }
  }
}

const formOf = async (payout: Payout, deps: HederaPaymentsDeps): Promise<PaymentForm | null> => {
  if (payout.purpose !== 'sweep') return paymentForm(payout, deps)
  const plan = await requireSweeps(deps.sweeps).plan(payout)
  return plan.ok ? plan.payment : null
}

/** Sends each node its own bytes until one takes them, and then one more. */
const submit = async ({ raw, transaction }: SignedAttempt, nodes: ConsensusNodes): Promise<BroadcastResult> => {
  const { nodes: accounts } = readPrepared(transaction)
  const parts = await partsOf(raw)
  const bytesFor = new Map(nodes.at(accounts).map((node) => [node.client, parts[accounts.indexOf(node.name)]]))
  return broadcastInTurn({ ordered: () => nodes.at(accounts) }, (send) => send(bytesFor.get(send) ?? new Uint8Array()))
}
