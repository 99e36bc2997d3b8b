import { ServiceError } from '@causeway/core'
import type { Payout, Simulation } from '@causeway/core/chain'
import {
  answerOf,
  askInOrder,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type RpcCall,
  type RpcOutcome,
  resultOf,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { isNative } from '../address/currencies.js'
import type { XrpSettings } from '../options.js'
import { type FeeSource, feeToOffer } from '../payout/feeLevels.js'
import { movedBy, type PaymentForm, paymentForm } from '../payout/paymentForm.js'
import type { SweepForms } from '../payout/sweepForms.js'
import type { TransferRates } from '../payout/transferRates.js'
import { networkField } from '../rpc/networkField.js'
import { askParties, isAuthorized, type PaymentParties } from './paymentParties.js'
import { type PaymentCosts, problemOf } from './paymentProblems.js'
import { simulatedKind, simulatedText } from './simulationResults.js'

export interface XrpSimulatorDeps {
  readonly rpc: JsonRpcClient
  readonly fees: FeeSource
  readonly rates: TransferRates
  readonly settings: Pick<XrpSettings, 'depository' | 'networkId' | 'maxFeeDrops'>
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

type Failure = Extract<Simulation, { readonly ok: false }>

/** How long a server is believed to be too old for `simulate` (rippled 2.4). */
const OLD_MS = 600_000
const UNKNOWN_METHOD: ReadonlySet<string> = new Set(['unknownCmd', 'notSupported', 'notEnabled'])

const readSimulated = answerOf(Type.Object({ engine_result: Type.String({ pattern: '^te[a-zA-Z_0-9]{1,60}$' }) }))

/** A payment about to be simulated. */
interface Trial {
  readonly payout: Payout
  readonly form: PaymentForm
  readonly costs: PaymentCosts
}

/**
 * Tries payments out: a server runs them without a signature, and what both sides hold tells the rest (chains.md xrpvm 6). Servers that
 * cannot run them are asked for what both sides hold alone.
 */
export class XrpSimulator {
  readonly #deps: XrpSimulatorDeps
  /** Until when each server counts as too old; real time, since it is about a network. */
  readonly #old = new WeakMap<JsonRpcEndpoint, number>()

  constructor(deps: XrpSimulatorDeps) {
    this.#deps = deps
  }

  async simulate(payout: Payout): Promise<Simulation> {
    try {
      const plan = await this.#planOf(payout)
      if (!plan.ok) return plan
      const form = plan.payment
      const trial = { payout, form, costs: await this.#costsOf(payout, form.Account) }
      return await askInOrder(this.#deps.rpc, (node) => this.#tryAt(node, trial))
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      const isForGood = error.code === 'INVALID_REQUEST' || error.code === 'UNSUPPORTED_CURRENCY'
      return { ok: false, kind: isForGood ? 'revert' : 'transient', message: error.message }
    }
  }

  async #planOf(payout: Payout): Promise<{ readonly ok: true; readonly payment: PaymentForm } | Failure> {
    const { rates, settings, sweeps } = this.#deps
    if (payout.purpose === 'sweep') {
      if (sweeps === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
      return sweeps.plan(payout)
    }
    const account = payout.purpose === 'withdraw' ? settings.depository : payout.from
    return { ok: true, payment: paymentForm(payout, { account, rate: await rates.rate(payout.money.currency) }) }
  }

  async #costsOf(payout: Payout, account: string): Promise<PaymentCosts> {
    const { fees, rates, settings } = this.#deps
    const [levels, rate] = await Promise.all([fees.levels(), rates.rate(payout.money.currency)])
    const fee = feeToOffer(levels, settings.maxFeeDrops) ?? levels.least
    return { fee, taken: movedBy(payout, { account, rate }).takes }
  }

  async #tryAt(node: JsonRpcEndpoint, trial: Trial): Promise<Simulation> {
    const { payout, form } = trial
    const between = { payer: form.Account, recipient: form.Destination, currency: payout.money.currency }
    const [parties, result] = await Promise.all([askParties(node, between), this.#run(node, trial)])
    const problem = problemOf({ to: destinationOf(form), money: payout.money }, parties, trial.costs)
    const seen = { call: callOf(trial), block: parties.height }
    // Who authorised whom is seen by running it, or asked for.
    if (result === null) {
      if (problem !== null && !(await this.#isLetIn(node, problem, parties, between))) return { ...problem, ...seen }
      return paid(payout, parties)
    }
    const kind = simulatedKind(result)
    if (kind === null) return paid(payout, parties)
    if (problem !== null && (kind === 'unclear' || kind === problem.kind)) return { ...problem, ...seen }
    const said = { ok: false as const, message: simulatedText(result), data: result, ...seen }
    return { ...said, kind: kind === 'unclear' ? 'recipient-cannot-receive' : kind }
  }

  /** Whether the only thing against a payment is that its recipient lets few pay, of whom the payer is one. */
  async #isLetIn(
    node: JsonRpcEndpoint,
    { kind }: Failure,
    { recipient }: PaymentParties,
    between: { readonly payer: string; readonly recipient: string },
  ): Promise<boolean> {
    if (kind !== 'recipient-cannot-receive' || recipient === null) return false
    return (await isAuthorized(node, between)) === true
  }

  /** The result of running it; null at a server that cannot. @throws ServiceError when it does not answer */
  async #run(node: JsonRpcEndpoint, { form }: Trial): Promise<string | null> {
    if (performance.now() < (this.#old.get(node) ?? 0)) return null
    const tx_json = { ...form, ...networkField(this.#deps.settings.networkId) }
    const call: RpcCall = { method: 'simulate', params: [{ tx_json }] }
    const [outcome] = await node.batch([call])
    if (isUnknown(outcome)) {
      this.#old.set(node, performance.now() + OLD_MS)
      return null
    }
    return readSimulated(resultOf(outcome, call.method)).engine_result
  }
}

const isUnknown = (outcome: RpcOutcome | undefined): boolean =>
  outcome?.ok === false && UNKNOWN_METHOD.has(outcome.error.message)

const destinationOf = ({ Destination, DestinationTag }: PaymentForm) => ({
  address: Destination,
  ...(DestinationTag === undefined ? {} : { tag: DestinationTag }),
})

/** What XRP an account takes makes no difference from its reserve on; a trust line takes only so much. */
const paid = ({ money }: Payout, { height, recipient, reserves }: PaymentParties): Simulation => ({
  ok: true,
  gas: 0n,
  block: height,
  ...(isNative(money.currency) ? { leastAmount: recipient === null ? reserves.base : 0n } : {}),
})

const callOf = ({ payout: { money }, form }: Trial) => ({
  from: form.Account,
  to: form.Destination,
  data: Buffer.from(form.Memos[0].Memo.MemoData, 'hex').toString('utf8'),
  value: money.amount.toString(),
})
