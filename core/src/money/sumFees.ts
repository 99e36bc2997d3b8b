import type { FeeLine } from '../quote/quoteExtension.js'
import type { Currency } from './currency/currency.js'

/** Fees of a quote in the origin currency, summed per field of the answer (wire.md 1.3, D.2). */
export interface FeeSums {
  /** Network cost of the fill. */
  readonly relayerGas: bigint
  /** Flat part, swap cost and platform fee of the solver; negative is a rebate. */
  readonly relayerService: bigint
  /** `relayerGas + relayerService`, exactly. */
  readonly relayer: bigint
  readonly app: bigint
  /** Part of the above that a sponsor pays. */
  readonly subsidized: bigint
  /** What the deposit must cover: relayer and app without the sponsored part. */
  readonly userPays: bigint
}

/**
 * The only place that adds fee lines. All lines are in `currency`; one in another is a defect of whoever made it, since
 * amounts never change currency by accident (faults.md, invariant 5).
 */
export const sumFees = (lines: readonly FeeLine[], currency: Currency): FeeSums => {
  let relayerGas = 0n
  let relayerService = 0n
  let app = 0n
  let subsidized = 0n
  for (const { bucket, payer, money } of lines) {
    if (money.currency.chainId !== currency.chainId || money.currency.address !== currency.address) {
      throw new Error(`A ${bucket} fee is in another currency than the deposit`)
    }
    if (bucket === 'gas' || bucket === 'rent') relayerGas += money.amount
    else if (bucket === 'app') app += money.amount
    else relayerService += money.amount
    if (payer === 'sponsor') subsidized += money.amount
  }
  const relayer = relayerGas + relayerService
  return { relayerGas, relayerService, relayer, app, subsidized, userPays: relayer + app - subsidized }
}
