import { payableAbove } from '../address/amounts.js'
import { parseIssued } from '../address/currencies.js'
import { TRANSFER_RATE_UNIT } from '../rpc/accountState.js'
import { type Asked, askAccount } from '../rpc/xrpNode.js'

/**
 * What its issuer takes of a transfer of a currency between two others, in `TRANSFER_RATE_UNIT`: the sender spends that many times what
 * arrives. Of XRP, and of an issuer that is not there, nothing.
 */
export const askTransferRate = async (asked: Asked, currency: string): Promise<bigint> => {
  const issued = parseIssued(currency)
  if (issued === null) return TRANSFER_RATE_UNIT
  return (await askAccount(asked, issued.issuer))?.transferRate ?? TRANSFER_RATE_UNIT
}

/** What the sender spends at most so that an amount arrives, smallest unit; the amount itself where the issuer takes nothing. */
export const spentFor = (currency: string, amount: bigint, rate: bigint): bigint => {
  if (rate === TRANSFER_RATE_UNIT) return amount
  return payableAbove(currency, (amount * rate + TRANSFER_RATE_UNIT - 1n) / TRANSFER_RATE_UNIT)
}
