import { larger, ServiceError, smaller } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt, Signer } from '@causeway/core/chain'
import { type AccountPayments, askInOrder, broadcastInTurn, type Draft } from '@causeway/core/chain-kit'
import { evmAddressOfKey } from '../address/addresses.js'
import { SECOND } from '../address/times.js'
import type { SweepForms } from '../depositAddress/sweepForms.js'
import type { HederaSettings } from '../options.js'
import {
  type PaymentForm,
  type PaymentFormDeps,
  type PreparedPayment,
  paymentForm,
  preparedJson,
  readPrepared,
} from '../payout/paymentForm.js'
import { feeToOffer, type RateSource } from '../payout/prices.js'
import { requireSweeps } from '../payout/simulator.js'
import { askMoment } from '../read/head.js'
import { LONGEST_WINDOW } from '../read/transactions.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { laneReading } from './accountReading.js'
import type { ConsensusNodes } from './consensusNodes.js'
import { untilOf } from './sentTransaction.js'
import { partsOf, signPayment } from './signPayment.js'
import { entriesOf } from './transfers.js'

/** Payments begin so long before now: nodes refuse what begins after their own time. */
const START_MARGIN = 5n * SECOND
/** Blocks after the first verdict that a payment is dead: a mirror node may have answered from a copy that is behind. */
const DEATH_MARGIN_BLOCKS = 10

export interface HederaPaymentsDeps extends PaymentFormDeps {
  readonly rates: RateSource
  readonly nodes: ConsensusNodes
  readonly settings: Pick<HederaSettings, 'depository' | 'windowSeconds' | 'maxFeeTinybars' | 'mirrorLagBlocks'>
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
  /** Consensus time now in nanoseconds, by the clock of this process and the newest block. */
  now(): Promise<bigint>
}

/**
 * Payments of the solver by transaction ids: payer and valid start, which is the number of a payment (chains.md hederavm 5). The solver pays
 * each fee; depository and deposit addresses sign for their money beside it. No node shows a payment before it lands.
 */
export const hederaPayments = (deps: HederaPaymentsDeps): AccountPayments<MirrorNode> => {
  const { settings, ids } = deps
  const { depository, windowSeconds: lifetime, mirrorLagBlocks: lagBlocks } = settings
  let now = 0n
  return {
    chain: {
      addressOf: ({ publicKey }) => evmAddressOfKey(publicKey),
      ...laneReading({ ids, depository, lagBlocks }),
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
        return signPayment(payment, signersOf(payment, deps, { signer, allocator, seed }))
      },
      broadcast: (attempts) => Promise.all(attempts.map((attempt) => submit(attempt, deps.nodes))),
    },
    order: { kind: 'free', least: () => now - START_MARGIN, until: (start) => untilOf(start, lifetime) },
    lifetime,
    longestLifetime: LONGEST_WINDOW,
    deathMargin: DEATH_MARGIN_BLOCKS,
    cosigns: true,
    moment: (node) => askMoment(node, lagBlocks),
    pointOf: ({ time }) => BigInt(time),
  }
}

/** Null where the payment cannot be made now: the fee is above its limit, or a sweep would move no money. */
const draftOf = async (payout: Payout, deps: HederaPaymentsDeps): Promise<Draft | null> => {
  const { rates, nodes, settings } = deps
  const form = await formOf(payout, deps)
  if (form === null) return null
  const limit = smaller(payout.feeLimit ?? settings.maxFeeTinybars, settings.maxFeeTinybars)
  const maxFee = feeToOffer(await rates.tinybars(form.price), limit)
  if (maxFee === null) return null
  const [payer, chosen] = await Promise.all([payerId(payout.from, deps), nodes.choose()])
  return (slot) => {
    if (payout.purpose === 'sweep') deps.sweeps?.begun?.(payout, slot)
    const entries = entriesOf(form.from, form.to, { currency: form.currency, amount: form.amounts.sent })
    const payment: PreparedPayment = {
      ...{
        payer,
        start: slot.sequence.toString(),
        duration: settings.windowSeconds.toString(),
        maxFee: maxFee.toString(),
      },
      ...{ memo: form.memo, nodes: chosen, entries, sweep: form.sweep },
    }
    return { transaction: preparedJson(payment), feeCap: maxFee }
  }
}

const formOf = async (payout: Payout, deps: HederaPaymentsDeps): Promise<PaymentForm | null> => {
  if (payout.purpose !== 'sweep') return paymentForm(payout, deps)
  const plan = await requireSweeps(deps.sweeps).plan(payout)
  return plan.ok ? plan.payment : null
}

/** Number of the solver's account, which transaction ids name. A wrong one only makes the signature invalid. @throws ServiceError */
const payerId = (solver: string, { pool, ids }: HederaPaymentsDeps): Promise<string> =>
  askInOrder(pool, (node) => ids.required(node, solver))

interface Keys {
  readonly signer: Signer
  readonly allocator: Signer | undefined
  readonly seed: Uint8Array | undefined
}

/** Keys that sign: the solver's, and the one of the account whose money is paid. @throws ServiceError without it */
const signersOf = (
  { entries, sweep }: PreparedPayment,
  { settings, sweeps }: HederaPaymentsDeps,
  { signer, allocator, seed }: Keys,
): readonly Signer[] => {
  if (sweep !== null) return [signer, requireSweeps(sweeps).signer(sweep, seed)]
  const from = entries.find(({ amount }) => amount.startsWith('-'))?.account
  if (from !== settings.depository) return [signer]
  if (allocator === undefined || evmAddressOfKey(allocator.publicKey) !== settings.depository)
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'A withdrawal needs the key of the depository (keys.allocator). Configure it.',
    )
  return [signer, allocator]
}

/** Sends each node its own bytes until one takes them, and then one more. */
const submit = async ({ raw, transaction }: SignedAttempt, nodes: ConsensusNodes): Promise<BroadcastResult> => {
  const accounts = readPrepared(transaction).nodes
  const bytes = new Map(partsOf(raw).map((part, at) => [accounts[at], part]))
  try {
    const ordered = await nodes.at(accounts)
    return await broadcastInTurn({ ordered: () => ordered }, (node) =>
      node.submit(bytes.get(node.account) ?? new Uint8Array()),
    )
  } catch (error) {
    if (!ServiceError.is(error)) throw error
    return { outcome: 'unknown', message: error.message }
  }
}
