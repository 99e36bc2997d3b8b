import type { Payout } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { balanceCall, heldBy } from '../balances.js'
import type { Contracts } from '../contracts/addresses.js'
import type { EvmSettings } from '../options.js'
import { estimateCall, withinLimit } from '../payout/gasEstimate.js'
import { buildPayout, type PayoutForm } from '../payout/payoutForm.js'
import { revertReason } from '../payout/revertReason.js'
import {
  errorOf,
  type Failure,
  failureOf,
  isAnswer,
  NOT_SIMULATED,
  type Run,
  SOLVER_SHORT,
} from '../payout/simulationFailure.js'
import { isInsufficientFunds } from '../rpc/rpcErrors.js'
import { sweptCurrencies } from './depositAddress.js'

export interface RunSweepDeps {
  readonly rpc: JsonRpcClient
  readonly contracts: Contracts
  readonly settings: EvmSettings
}

/** Runs a sweep as the lane would send it, and looks at what lies at the address: one request in the usual case. */
export const runSweep = async (payout: Payout, deps: RunSweepDeps): Promise<Run> => {
  const { rpc, contracts, settings } = deps
  const form = formOf(payout, contracts)
  if ('ok' in form) return form
  const { currency } = payout.money
  const address = payout.sweep?.address.destination.address ?? payout.to.address
  const query = { address, currency }
  const [outcome, balance] = await rpc.gather([estimateCall(payout, form, settings), balanceCall(query)])
  if (balance?.ok === true && heldBy(query, balance) === 0n) {
    const message = `Nothing of ${currency} lies at the deposit address ${address}: it was swept before, or never came.`
    return failureOf(payout, form, 'revert', message)
  }
  if (outcome?.ok) return withinLimit(payout, form, BigInt(String(outcome.result)), settings)
  const error = errorOf(outcome)
  if (isInsufficientFunds(error)) return failureOf(payout, form, 'insufficient-funds', SOLVER_SHORT)
  if (!isAnswer(error)) return failureOf(payout, form, 'transient', NOT_SIMULATED)
  const reason = revertReason(error)
  const refusing = await refusedAlone(payout, deps)
  const which = refusing.length === 0 ? '' : ` Not to be taken along: ${refusing.join(', ')}.`
  return failureOf(payout, form, 'revert', `The sweep would fail: ${reason.text}.${which}`, reason)
}

const formOf = (payout: Payout, contracts: Contracts): PayoutForm | Failure => {
  try {
    return buildPayout(payout, contracts)
  } catch (error) {
    return { ok: false, kind: 'revert', message: error instanceof Error ? error.message : String(error) }
  }
}

/** Of several currencies those that cannot be swept even alone, such as a token that blocks the address. */
const refusedAlone = async (payout: Payout, { rpc, contracts, settings }: RunSweepDeps): Promise<readonly string[]> => {
  const { sweep, money } = payout
  const currencies = sweptCurrencies(payout)
  if (sweep === undefined || currencies.length < 2) return currencies.slice(0, 1)
  const calls = currencies.map((currency) => {
    const alone = { ...payout, money: { ...money, currency }, sweep: { ...sweep, currencies: [currency] } }
    return estimateCall(alone, buildPayout(alone, contracts), settings)
  })
  const outcomes = await rpc.gather(calls)
  return currencies.filter((_, at) => outcomes[at]?.ok !== true)
}
