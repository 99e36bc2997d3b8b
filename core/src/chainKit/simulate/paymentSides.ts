import type { SimulationFailure } from '../../chain/chainAdapter.js'
import type { ChainMoney } from '../../chain/chainReferences.js'

/** Payer and recipient of a payment, as one node shows them at one height. Amounts in smallest units. */
export interface PaymentSides {
  readonly height: bigint
  /** Null: the account does not exist. */
  readonly payer: PayerSide | null
  readonly recipient: RecipientSide
}

export interface PayerSide {
  /** Native balance. */
  readonly coins: bigint
  /** Native amount that the account must keep. */
  readonly reserved: bigint
  /** Spendable balance of the payment's currency, if that is not the native one; 0 for a frozen balance. */
  readonly held: bigint
}

export interface RecipientSide {
  readonly exists: boolean
  /** Smallest amount of the payment's currency that opens the account; null: no amount does. */
  readonly opensFrom: bigint | null
  /** Why the account cannot take the payment, in plain words; null: it can. */
  readonly refusal: string | null
  /** Whether every amount from the smallest one on has the same verdict: the account has no upper limit. */
  readonly isUnlimited: boolean
}

/** Costs of a payment to its payer. */
export interface PaymentCosts {
  /** Network fee, native smallest unit. */
  readonly fee: bigint
  /**
   * Amount of the payment's currency, with the issuer's transfer fee. Of the native currency: with the network fee, where the reserve cannot
   * pay it.
   */
  readonly taken: bigint
}

const SHORT = 'The solver does not hold enough of this currency now.'

/** Returns why a payment would fail by the balances and rules of both sides; null: no reason shows. */
export const balanceProblem = (
  { currency, amount }: ChainMoney,
  { payer, recipient }: PaymentSides,
  { fee, taken }: PaymentCosts,
  native: { readonly address: string; readonly symbol: string },
): SimulationFailure | null => {
  const { exists, opensFrom, refusal } = recipient
  if (!exists && (opensFrom === null || amount < opensFrom)) {
    const message = `The account does not exist. It begins with the first payment of ${native.symbol} to it, of at least its reserve.`
    return { ...cannotReceive(message), ...(opensFrom === null ? {} : { leastAmount: opensFrom }) }
  }
  if (refusal !== null) return cannotReceive(refusal)
  if (payer === null) return short(SHORT)
  if (currency === native.address) return payer.coins < taken + payer.reserved ? short(SHORT) : null
  if (payer.coins < fee) return short(`The solver does not hold enough ${native.symbol} to pay now.`)
  return payer.held < taken ? short(SHORT) : null
}

const cannotReceive = (message: string): SimulationFailure => ({ ok: false, kind: 'recipient-cannot-receive', message })
const short = (message: string): SimulationFailure => ({ ok: false, kind: 'insufficient-funds', message })
