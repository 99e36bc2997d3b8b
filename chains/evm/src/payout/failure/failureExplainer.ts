import { ServiceError } from '@causeway/core'
import type { FailureTree, Payout, Simulation } from '@causeway/core/chain'
import type { JsonRpcClient, JsonRpcEndpoint, JsonRpcError } from '@causeway/core/chain-kit'
import type { Contracts } from '../../address/addresses.js'
import type { EvmSettings } from '../../options.js'
import { quantity } from '../../rpc/wire.js'
import { delegationParams } from '../delegations.js'
import { limitOf } from '../fees/gasEstimate.js'
import { buildPayout, type PayoutForm } from '../payoutForm.js'
import { isAnswer } from '../simulationFailure.js'
import { isTracedCall, logsOf, type TracedCall, type TracedLog } from './callTrace.js'
import { treeOfError, treeOfOperation, treeOfTrace } from './failureTree.js'
import { failedOperation, runsUserOperations } from './userOperations.js'

/** A node that does not trace is asked again after so long: it may have been set up for it. */
const UNTRACED_MS = 10 * 60_000
const NO_METHOD =
  /method not found|does not exist|not (supported|available|allowed|enabled|whitelisted)|unsupported|unknown method/i

export interface FailureExplainerDeps {
  readonly rpc: Pick<JsonRpcClient, 'ordered' | 'batch'>
  readonly contracts: Contracts
  readonly settings: EvmSettings
}

/** Says of a payout that would revert where it does, with every call on the way where a node traces (wire.md 2.6 details). */
export class FailureExplainer {
  readonly #deps: FailureExplainerDeps
  /** Endpoints that cannot trace, and until when they are not asked. Real time: it is about a network. */
  readonly #untraced = new Map<string, number>()

  constructor(deps: FailureExplainerDeps) {
    this.#deps = deps
  }

  /** See `ExplainFailure`. */
  async explain(payout: Payout, { ok: passes }: Pick<Simulation, 'ok'>): Promise<FailureTree | null> {
    if (passes && !runsUserOperations(payout)) return null
    const { contracts } = this.#deps
    const form = buildPayout(payout, contracts)
    const call = this.#callOf(payout, form)
    for (const endpoint of this.#deps.rpc.ordered().filter((node) => this.#mayTrace(node))) {
      const traced = await this.#trace(endpoint, call)
      if (traced !== undefined) return traced
    }
    if (passes) return this.#operation(call, form)
    const error = await this.#run(call)
    return error === null ? null : treeOfError(error, { payout, form, contracts })
  }

  /** With bounded gas: it is what bounds how much a callee can answer, and how deep it can go. */
  #callOf(payout: Payout, { to, data, value }: PayoutForm): object {
    const gas = quantity(limitOf(payout, this.#deps.settings) + 100_000n)
    return { from: payout.from, to, data, value: quantity(value), gas, ...delegationParams(payout) }
  }

  #mayTrace({ name }: JsonRpcEndpoint): boolean {
    return (this.#untraced.get(name) ?? 0) <= performance.now()
  }

  /** Undefined: this node does not tell. */
  async #trace(endpoint: JsonRpcEndpoint, call: object): Promise<FailureTree | null | undefined> {
    try {
      const [outcome] = await endpoint.batch([{ method: 'debug_traceCall', params: [call, 'latest', TRACER] }])
      if (outcome?.ok === true && isTracedCall(outcome.result)) {
        return treeOf(outcome.result, this.#deps.contracts)
      }
      if (outcome?.ok === false && lacksMethod(outcome.error)) {
        this.#untraced.set(endpoint.name, performance.now() + UNTRACED_MS)
      }
    } catch (error) {
      if (!ServiceError.is(error)) throw error
    }
    return undefined
  }

  /** By the logs of a run that is not traced; null: no operation fails, or the node has no such runs. */
  async #operation(call: object, { to, data }: PayoutForm): Promise<FailureTree | null> {
    const params = [{ blockStateCalls: [{ calls: [call] }], validation: false }, 'latest']
    const [outcome] = await this.#deps.rpc.batch([{ method: 'eth_simulateV1', params }])
    // CAST: read as far as it has this form.
    const blocks = (outcome?.ok === true ? outcome.result : []) as readonly SimulatedBlock[]
    const failed = failedOperation(blocks?.[0]?.calls?.[0]?.logs ?? [])
    return failed === null ? null : treeOfOperation({ type: 'CALL', to, input: data }, failed, this.#deps.contracts)
  }

  /** Null: it does not fail, or the node says something else than that. */
  async #run(call: object): Promise<JsonRpcError | null> {
    const [outcome] = await this.#deps.rpc.batch([{ method: 'eth_call', params: [call, 'latest'] }])
    return outcome?.ok === false && isAnswer(outcome.error) ? outcome.error : null
  }
}

interface SimulatedBlock {
  readonly calls?: readonly { readonly logs?: readonly TracedLog[] }[]
}

const treeOf = (root: TracedCall, contracts: Contracts): FailureTree | null => {
  if (root.error !== undefined) return treeOfTrace(root, contracts)
  const failed = failedOperation(logsOf(root))
  return failed === null ? null : treeOfOperation(root, failed, contracts)
}

const TRACER = { tracer: 'callTracer', tracerConfig: { onlyTopCall: false, withLog: true }, timeout: '5s' }

const lacksMethod = ({ code, message }: JsonRpcError): boolean => code === -32601 || NO_METHOD.test(message)
