import type { Payout } from '@causeway/core/chain'
import { estimateCall } from '../payout/fees/gasEstimate.js'
import { buildPayout } from '../payout/payoutForm.js'
import { type PayoutRunDeps, readRun, tryForm } from '../payout/payoutRun.js'
import { failureOf, type Run } from '../payout/simulationFailure.js'
import { balanceCall, heldBy } from '../read/balances.js'
import { sweptCurrencies } from './depositAddress.js'

/** Runs a sweep as the lane would send it, and looks at what lies at the address: one request in the usual case. */
export const runSweep = async (payout: Payout, deps: PayoutRunDeps): Promise<Run> => {
  const { rpc, settings } = deps
  const form = tryForm(payout, deps)
  if ('ok' in form) return form
  const { currency } = payout.money
  const address = payout.sweep?.address.destination.address ?? payout.to.address
  const query = { address, currency }
  const [outcome, balance] = await rpc.gather([estimateCall(payout, form, settings), balanceCall(query)])
  if (balance?.ok === true && heldBy(query, balance) === 0n) {
    const message = `Nothing of ${currency} lies at the deposit address ${address}: it was swept before, or never came.`
    return failureOf(payout, form, 'revert', message)
  }
  const run = readRun(payout, form, outcome, settings)
  if ('ok' in run) return run
  const { reason } = run
  const refusing = await refusedAlone(payout, deps)
  const which = refusing.length === 0 ? '' : ` Not to be taken along: ${refusing.join(', ')}.`
  return failureOf(payout, form, 'revert', `The sweep would fail: ${reason.text}.${which}`, reason)
}

/** Of several currencies those that cannot be swept even alone, such as a token that blocks the address. */
const refusedAlone = async (
  payout: Payout,
  { rpc, contracts, settings }: PayoutRunDeps,
): Promise<readonly string[]> => {
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
