import { smaller } from '@causeway/core'

/** What a mint keeps of a transfer: basis points of the amount, rounded up, at most `maximum` (Token-2022). */
export interface TransferFee {
  readonly bps: number
  readonly maximum: bigint
}

const BPS = 10_000n

/** What arrives when `gross` is sent. */
export const netOf = (gross: bigint, fee: TransferFee | null): bigint => gross - feeOn(gross, fee)

/** The least amount to send so that at least `net` arrives. */
export const grossFor = (net: bigint, fee: TransferFee | null): bigint => {
  if (fee === null || net === 0n) return net
  const capped = net + fee.maximum
  if (BigInt(fee.bps) >= BPS) return capped
  const uncapped = grossForShare(net, BigInt(fee.bps))
  return smaller(uncapped, capped)
}

/** Without the cap; the fee is rounded up, so that the quotient can be one too few. */
const grossForShare = (net: bigint, bps: bigint): bigint => {
  const gross = (net * BPS) / (BPS - bps)
  return gross - share(gross, bps) >= net ? gross : gross + 1n
}

const feeOn = (gross: bigint, fee: TransferFee | null): bigint => {
  if (fee === null) return 0n
  return smaller(share(gross, BigInt(fee.bps)), fee.maximum)
}

const share = (gross: bigint, bps: bigint): bigint => (gross * bps + BPS - 1n) / BPS
