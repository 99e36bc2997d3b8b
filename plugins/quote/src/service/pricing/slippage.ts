import { BPS, divide, smaller } from '@causeway/core'
import type { TradeType } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'

export interface SlippageRequest {
  /** What the caller asked for, or null. */
  readonly asked: bigint | null
  readonly tradeType: TradeType
  readonly sameAsset: boolean
  /** Network cost of the fill and the input, same currency. */
  readonly gas: bigint
  readonly amountIn: bigint
}

/** What a pair of assets is given when nobody asked for anything. */
export const usualSlippage = (
  isOneAsset: boolean,
  {
    sameAssetSlippageBps,
    crossAssetSlippageBps,
  }: Pick<QuoteSettings, 'sameAssetSlippageBps' | 'crossAssetSlippageBps'>,
): bigint => (isOneAsset ? sameAssetSlippageBps : crossAssetSlippageBps)

/**
 * Slippage of a quote in basis points (wire.md H.2): what was asked for, else the default of the pair. A network cost
 * that is a large share of the amount may well double before the fill, so the default grows by that share.
 */
export const effectiveSlippage = (request: SlippageRequest, settings: QuoteSettings): bigint => {
  if (request.asked !== null) return request.asked
  const usual = usualSlippage(request.sameAsset, settings)
  const share = divide(request.gas * BPS, request.amountIn, 'up')
  if (share <= settings.gasShareWideningBps) return usual
  return smaller(usual + share, settings.maxAutomaticSlippageBps)
}
