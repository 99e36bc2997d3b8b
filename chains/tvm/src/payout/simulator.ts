import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { type PaymentSides, PaymentSimulator, type TrialResult } from '@causeway/core/chain-kit'
import { accountOf, NATIVE } from '../address/addresses.js'
import type { SweepForms } from '../depositAddress/sweepForms.js'
import { askRefusal } from '../read/recipients.js'
import { transferIn } from '../read/transactions.js'
import { askAccount, askResources, type PricesNow } from '../rpc/accounts.js'
import { askHead } from '../rpc/blocks.js'
import { askBalanceOf, type Trial } from '../rpc/contracts.js'
import type { TronNode } from '../rpc/tronNode.js'
import { bytesOf, feeOf } from './costs.js'
import { type PaymentForm, type PaymentFormDeps, paymentForm, tryForm } from './paymentForm.js'
import { activates } from './payoutFees.js'

export interface TronSimulatorDeps extends PaymentFormDeps {
  readonly prices: PricesNow
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

/** A payment with the payout that it is of. */
interface Simulated {
  readonly payout: Payout
  readonly form: PaymentForm
  /** The run at a node, which its costs and its result need. */
  trialAt(node: TronNode): Promise<Trial | null>
}

const simulated = (payout: Payout, form: PaymentForm): Simulated => {
  const trials = new Map<TronNode, Promise<Trial | null>>()
  return {
    ...{ payout, form },
    trialAt: (node) => {
      const trial = trials.get(node) ?? tryForm(node, form)
      trials.set(node, trial)
      return trial
    },
  }
}

/** Calls run at a node on its newest state; for TRX balances and the rules of both sides decide (chains.md tvm 6). */
export const tronSimulator = (deps: TronSimulatorDeps): PaymentSimulator<TronNode, Simulated> =>
  new PaymentSimulator({
    ...{ pool: deps.pool, native: { address: NATIVE, symbol: 'TRX' } },
    sweeps:
      deps.sweeps === null
        ? null
        : {
            plan: async (payout) => {
              const plan = await requireSweeps(deps.sweeps).plan(payout)
              return plan.ok ? { ok: true, payment: simulated(payout, plan.form) } : plan
            },
          },
    paymentOf: async (payout) => simulated(payout, paymentForm(payout, deps)),
    costsOf: async (node, payout, payment) => {
      const fee = await feeNow(node, payment, deps.prices)
      const isOwn = payout.purpose !== 'withdraw' && payout.purpose !== 'sweep'
      const { currency, amount } = payout.money
      // The depository, or the deposit address, holds what a withdrawal or a sweep takes.
      return { fee, taken: isOwn ? amount + (currency === NATIVE ? fee : 0n) : currency === NATIVE ? fee : 0n }
    },
    sidesOf: (node, payout, { form }) => readSides(node, payout, { form, deps }),
    tryAt: async (node, { payout, trialAt }) => resultOf(await trialAt(node), payout),
    callOf: (_, { form: { owner: from, to, data, memo, value } }) => ({
      ...{ from, to, data: `0x${data === '' ? memo : data}`, value: value.toString() },
    }),
  })

/** The fee of a payment now. A call that fails is told by its own run, and takes no energy here. */
const feeNow = async (node: TronNode, { payout, form, trialAt }: Simulated, prices: PricesNow): Promise<bigint> => {
  const [now, resources, isNew, trial] = await Promise.all([
    prices(),
    askResources(node, payout.from),
    activates(node, form),
    trialAt(node),
  ])
  const energy = trial?.failure === null ? trial.energy : 0n
  const spent = { energy, bytes: bytesOf(form), hasMemo: form.memo !== '', activates: isNew }
  // A deposit address has none of the solver's resources, and its funding names the sweep in a memo.
  return form.sweep === null ? feeOf(spent, now, resources) : feeOf({ ...spent, hasMemo: true }, now)
}

const readSides = async (
  node: TronNode,
  { from, to, money, purpose }: Payout,
  { form, deps }: { readonly form: PaymentForm; readonly deps: TronSimulatorDeps },
): Promise<PaymentSides> => {
  const isOwn = form.owner === from && purpose !== 'withdraw'
  const [{ height }, payer, held, refusal] = await Promise.all([
    askHead(node),
    askAccount(node, from),
    isOwn && money.currency !== NATIVE ? askBalanceOf(node, money.currency, from) : 0n,
    purpose === 'sweep' ? null : askRefusal(node, { to: to.address, currency: money.currency }, deps),
  ])
  return {
    height,
    payer: payer === null ? null : { coins: payer.balance, reserved: 0n, held: held ?? 0n },
    recipient: { exists: true, opensFrom: null, refusal, isUnlimited: form.data === '' },
  }
}

/** The result of a run: what fails, and a token that moves another amount than it should. */
const resultOf = (trial: Trial | null, payout: Payout): TrialResult => {
  const passed = { kind: 'sides', message: '', data: '' } as const
  if (trial === null) return passed
  const { failure, energy, returned } = trial
  const isOwn = payout.purpose !== 'withdraw' && payout.purpose !== 'sweep'
  if (failure !== null)
    return {
      kind: isOwn ? 'unclear' : 'revert',
      message: `The contract refuses the payment: ${failure}.`,
      data: `0x${returned.slice(0, 512)}`,
    }
  const arrives = isOwn ? arrivingIn(trial, payout) : null
  // A refund goes back whatever the token takes of it.
  const isWhole = payout.purpose === 'fill' ? arrives === payout.money.amount : arrives !== 0n
  if (arrives === null || isWhole) return { ...passed, gas: energy }
  const message =
    arrives === 0n
      ? 'The token moves no money to this recipient.'
      : `The token keeps a part of each transfer: ${arrives} of ${payout.money.amount} would arrive.`
  return { kind: 'revert', message, data: `0x${returned.slice(0, 64)}` }
}

/** What the events of a run bring the recipient of a token; null where the node shows none. */
const arrivingIn = ({ logs }: Trial, { to, money }: Payout): bigint | null => {
  if (logs === null || money.currency === NATIVE) return null
  const [token, recipient] = [accountOf(money.currency), accountOf(to.address)]
  const moves = logs.flatMap((log) => (log.address === token ? (transferIn(log) ?? []) : []))
  return moves.reduce((sum, move) => (move.to === recipient ? sum + move.amount : sum), 0n)
}

/** @throws ServiceError where the chain has no deposit addresses */
export const requireSweeps = (sweeps: SweepForms | null): SweepForms => {
  if (sweeps !== null) return sweeps
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
}
