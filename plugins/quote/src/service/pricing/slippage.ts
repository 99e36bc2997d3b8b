import { BPS, divide, smaller } from '@causeway/core'
import type { QuoteSettings } from '../../options.js'
import type { QuotePlan } from '../route/quotePlan.js'

/** The parts of a plan that decide the slippage. */
type SlippagePlan = Pick<QuotePlan, 'input' | 'sameAsset'> & { readonly draft: Pick<QuotePlan['draft'], 'fixedRate'> }

/** Slippage as long as the network cost is not known: what was asked for, none at a fixed rate, else the operator's default of the pair of assets. */
export const slippageBeforeGas = (
  { input, sameAsset, draft }: SlippagePlan,
  {
    sameAssetSlippageBps,
    crossAssetSlippageBps,
  }: Pick<QuoteSettings, 'sameAssetSlippageBps' | 'crossAssetSlippageBps'>,
): bigint =>
  input.slippageBps ?? (draft.fixedRate !== null ? 0n : sameAsset ? sameAssetSlippageBps : crossAssetSlippageBps)

/**
 * Slippage of a quote in basis points (wire.md H.2): what was asked for, else the default of the pair. A network cost
 * that is a large share of the amount may well double before the fill, so the default grows by that share.
 */
export const effectiveSlippage = (
  plan: SlippagePlan,
  /** Network cost of the fill and the deposit, same currency. */
  { gas, depositAmount }: { readonly gas: bigint; readonly depositAmount: bigint },
  settings: QuoteSettings,
): bigint => {
  const base = slippageBeforeGas(plan, settings)
  if (plan.input.slippageBps !== null || plan.draft.fixedRate !== null) return base
  const share = divide(gas * BPS, depositAmount, 'up')
  if (share <= settings.gasShareWideningBps) return base
  return smaller(base + share, settings.maxAutomaticSlippageBps)
}
