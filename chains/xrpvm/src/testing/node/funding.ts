import { GENESIS_ACCOUNT, type UnsignedTx } from '../engine/transaction.js'
import { issuedOf, issuedValue } from './issuedUnits.js'

/** `tfSetNoRipple` of a TrustSet, as wallets set it. */
const SET_NO_RIPPLE = 0x2_0000
/** More than any test holds. */
const LIMIT = '1000000000000'

/** Gives an account drops, or an issued currency that it is made to trust. */
export const fundingTransactions = (address: string, amount: bigint, currency?: string): readonly UnsignedTx[] => {
  const issued = currency === undefined ? null : issuedOf(currency)
  if (issued === null) return [payment(GENESIS_ACCOUNT, address, String(amount))]
  const Amount = { ...issued, value: issuedValue(amount) }
  return [trustTransaction(address, currency ?? ''), payment(issued.issuer, address, Amount)]
}

/** Makes an account trust an issued currency as far as it likes; no payment of others goes through the line. */
export const trustTransaction = (address: string, currency: string): UnsignedTx => {
  const issued = issuedOf(currency)
  if (issued === null) throw new Error(`${currency} is no issued currency`)
  return {
    TransactionType: 'TrustSet',
    Account: address,
    LimitAmount: { ...issued, value: LIMIT },
    Flags: SET_NO_RIPPLE,
  }
}

const payment = (from: string, to: string, Amount: NonNullable<UnsignedTx['Amount']>): UnsignedTx => ({
  TransactionType: 'Payment',
  Account: from,
  Destination: to,
  Amount,
})
