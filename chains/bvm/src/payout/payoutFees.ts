import type { FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { NATIVE, parseAddress } from '../address/addresses.js'
import type { RecipientRules } from '../address/recipients.js'
import { creditedOrderScript, orderScript } from '../deposit/orderText.js'
import { type FeeRate, feeOf } from './coins/feeRate.js'
import { transactionWeight, virtualSize } from './coins/sizes.js'
import { RATE_MS } from './feeSource.js'

const ZERO = `0x${'00'.repeat(32)}` as const
const ORDER = orderScript(ZERO)
/** Inputs of the lane alone, and with one of the depository or of a deposit address. */
const [ONE, TWO] = [['p2wpkh'], ['p2wpkh', 'p2wpkh']] as const

/** Cost of a payout: of its simulated size, else of one with a single input. */
export const payoutFeeQuote = (
  { to, purpose }: Payout,
  simulation: Simulation | undefined,
  rate: FeeRate,
  { network, depository }: RecipientRules,
): FeeQuote => {
  const parsed = parseAddress(to.address, network)
  const paid = parsed.ok ? parsed.script : depository.script
  const inputs = purpose === 'withdraw' || purpose === 'sweep' ? TWO : ONE
  const typical = virtualSize(transactionWeight(inputs, [paid, ORDER, depository.script]))
  return feeQuote(simulation?.ok === true ? simulation.gas : typical, rate)
}

/** Cost of a sweep of one coin. */
export const sweepFeeQuote = (
  rate: FeeRate,
  { depository, creditSweeps }: Pick<RecipientRules, 'depository'> & { readonly creditSweeps: boolean },
): FeeQuote => {
  const text = creditSweeps ? creditedOrderScript(ZERO, depository.address) : ORDER
  return feeQuote(virtualSize(transactionWeight(TWO, [depository.script, text, depository.script])), rate)
}

/** Cost of a deposit with one coin of the user's. */
export const depositFeeQuote = (from: string, rate: FeeRate, { network, depository }: RecipientRules): FeeQuote => {
  const user = parseAddress(from, network)
  const [kind, change] = user.ok ? [user.kind, user.script] : (['p2wpkh', depository.script] as const)
  return feeQuote(virtualSize(transactionWeight([kind], [depository.script, ORDER, change])), rate)
}

const feeQuote = (size: bigint, rate: FeeRate): FeeQuote => ({
  network: { currency: NATIVE, amount: feeOf(size, rate) },
  validForMs: RATE_MS,
})
