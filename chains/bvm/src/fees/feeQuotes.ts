import type { FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { NATIVE, parseAddress } from '../address/addresses.js'
import { type FeeRate, feeOf } from '../coins/feeRate.js'
import { transactionWeight, virtualSize } from '../coins/sizes.js'
import { orderScript } from '../orderText/orderText.js'
import type { RecipientRules } from '../payout/recipients.js'
import { RATE_MS } from './feeSource.js'

const ORDER = orderScript(`0x${'00'.repeat(32)}`)

/** Cost of a payout: of its simulated size, else of one with a single input. */
export const payoutFeeQuote = (
  { to, purpose }: Payout,
  simulation: Simulation | undefined,
  rate: FeeRate,
  { network, depository }: RecipientRules,
): FeeQuote => {
  const parsed = parseAddress(to.address, network)
  const paid = parsed.ok ? parsed.script : depository.script
  const inputs = purpose === 'withdraw' ? (['p2wpkh', 'p2wpkh'] as const) : (['p2wpkh'] as const)
  const typical = virtualSize(transactionWeight(inputs, [paid, ORDER, depository.script]))
  return feeQuote(simulation?.ok === true ? simulation.gas : typical, rate)
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
