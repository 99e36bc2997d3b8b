import type { Simulation, SimulationFailure, SimulationFailureKind } from '../../chain/chainAdapter.js'
import type { Payout } from '../../chain/laneAdapter.js'
import { ServiceError } from '../../errors/serviceError.js'
import { askInOrder, type OrderedNodes } from '../quorum/askInOrder.js'
import { balanceProblem, type PaymentCosts, type PaymentSides } from './paymentSides.js'

/** The result of a payment that a node ran without a signature. */
export interface TrialResult {
  /**
   * Null: the payment would succeed. `unclear`: both sides' balances tell the reason. `sides`: nothing failed, and the rules of both sides count
   * as well.
   */
  readonly kind: SimulationFailureKind | 'unclear' | 'sides' | null
  /** In plain words; with `sides` the part that was not run, empty if all of it was. */
  readonly message: string
  /** The node's own code. */
  readonly data: string
  /** Cost of the payment in the chain's own measure, as `Simulation.gas`; absent: 0. */
  readonly gas?: bigint
}

export interface PaymentSimulatorDeps<Node extends object, Payment> {
  readonly pool: OrderedNodes<Node>
  readonly native: { readonly address: string; readonly symbol: string }
  /** The payment of a payout that is no sweep. @throws ServiceError for a payout that no payment of this chain can be */
  paymentOf(payout: Payout): Promise<Payment>
  /** Sweeps of deposit addresses; null: the chain has none. */
  readonly sweeps: {
    plan(payout: Payout): Promise<{ readonly ok: true; readonly payment: Payment } | SimulationFailure>
  } | null
  /** @throws ServiceError if the node does not answer */
  costsOf(node: Node, payout: Payout, payment: Payment): Promise<PaymentCosts>
  /** @throws ServiceError if the node does not answer or is behind */
  sidesOf(node: Node, payout: Payout, payment: Payment): Promise<PaymentSides>
  /** Runs a payment at a node; null if the node cannot. Absent: no node of the chain can. */
  tryAt?(node: Node, payment: Payment): Promise<TrialResult | null>
  /** The call that a failure shows. */
  callOf(payout: Payout, payment: Payment): NonNullable<SimulationFailure['call']>
}

/** Time until a node that could not run payments is asked to run one. */
const UNABLE_MS = 600_000

/**
 * Simulates payments of account ledgers: a node runs the payment where it can, and the balances and rules of both sides give the reason of a
 * failure. Nodes that cannot run payments are asked for both sides alone.
 */
export class PaymentSimulator<Node extends object, Payment> {
  readonly #deps: PaymentSimulatorDeps<Node, Payment>
  /** Until when each node counts as unable, in real time. */
  readonly #unable = new WeakMap<Node, number>()

  constructor(deps: PaymentSimulatorDeps<Node, Payment>) {
    this.#deps = deps
  }

  async simulate(payout: Payout): Promise<Simulation> {
    const { pool } = this.#deps
    try {
      const plan = await this.#planOf(payout)
      if (!plan.ok) return plan
      return await askInOrder(pool, (node) => this.#judge(node, payout, plan.payment))
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      const isForGood = error.code === 'INVALID_REQUEST' || error.code === 'UNSUPPORTED_CURRENCY'
      return { ok: false, kind: isForGood ? 'revert' : 'transient', message: error.message }
    }
  }

  async #planOf(payout: Payout): Promise<{ readonly ok: true; readonly payment: Payment } | SimulationFailure> {
    const { sweeps, paymentOf } = this.#deps
    if (payout.purpose !== 'sweep') return { ok: true, payment: await paymentOf(payout) }
    if (sweeps === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
    return sweeps.plan(payout)
  }

  async #judge(node: Node, payout: Payout, payment: Payment): Promise<Simulation> {
    const { costsOf, sidesOf, callOf, native } = this.#deps
    const [costs, sides, result] = await Promise.all([
      costsOf(node, payout, payment),
      sidesOf(node, payout, payment),
      this.#run(node, payment),
    ])
    const problem = balanceProblem(payout.money, sides, costs, native)
    const failure = failureOf(problem, result)
    return failure === null
      ? success(sides, result)
      : { ...failure, call: callOf(payout, payment), block: sides.height }
  }

  async #run(node: Node, payment: Payment): Promise<TrialResult | null> {
    const { tryAt } = this.#deps
    if (tryAt === undefined || performance.now() < (this.#unable.get(node) ?? 0)) return null
    const result = await tryAt(node, payment)
    if (result === null) this.#unable.set(node, performance.now() + UNABLE_MS)
    return result
  }
}

/** The node's own result decides; the balances explain it, or decide where the node cannot run payments. */
const failureOf = (problem: SimulationFailure | null, result: TrialResult | null): SimulationFailure | null => {
  if (result === null || result.kind === 'sides') return problem
  const { kind, message, data } = result
  if (kind === null) return null
  if (problem !== null && (kind === 'unclear' || kind === problem.kind)) return problem
  return { ok: false, kind: kind === 'unclear' ? 'recipient-cannot-receive' : kind, message, data }
}

const success = ({ height, recipient }: PaymentSides, result: TrialResult | null): Simulation => {
  const { exists, opensFrom, isUnlimited } = recipient
  return {
    ...{ ok: true, gas: result?.gas ?? 0n, block: height },
    ...(isUnlimited ? { leastAmount: exists ? 0n : (opensFrom ?? 0n) } : {}),
    ...(result?.kind === 'sides' && result.message !== '' ? { notRun: result.message } : {}),
  }
}
