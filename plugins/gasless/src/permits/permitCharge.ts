import { applyBps, BPS, formatAmount, larger, ServiceError } from '@causeway/core'
import { amountForUsd, type Usd } from '@causeway/core/plugin'
import type { RelayFee } from '../losses/relayFee.js'

/** Network fee above its charge that the operator bears for a permit. */
export interface PermitTolerance {
  /** Basis points of the charge. */
  readonly bps: bigint
  /** US dollars, where that is more. */
  readonly usd: Usd
}

/**
 * Most that the transaction of a permit may take, native smallest unit: `charged` by its quote and the tolerance (faults.md F145). The token may
 * run code of the owner, so an estimate alone bounds no cost. Throws ServiceError PERMIT_FAILED for a permit that costs more.
 */
export const permitFeeLimit = (
  { native, price, fee }: Pick<RelayFee, 'native' | 'price' | 'fee'>,
  charged: bigint,
  { bps, usd }: PermitTolerance,
): bigint => {
  const limit = larger(applyBps(charged, BPS + bps, 'down'), charged + amountForUsd(usd, native, price, 'down'))
  if (fee <= limit) return limit
  const [cost, most] = [fee, limit].map((amount) => `${formatAmount(amount, native.decimals)} ${native.symbol}`)
  throw new ServiceError(
    'PERMIT_FAILED',
    `The deposit by this signature would cost ${cost} of network fee, and its quote pays for ${most} at most. Ask for a new quote, or send the deposit from the wallet.`,
  )
}
