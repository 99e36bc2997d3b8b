import type { LedgerEntry, LedgerPosting } from './ledger.js'

interface Amounted {
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
}

/** The books of one fast fill: what is set aside of the wallet's balance for it, in the currency of balances. */
interface Covered {
  readonly requestId: string
  readonly wallet: string
  readonly collateral: Amounted
}

/** The payment of a fast fill that is on its chain, and what it lent the wallet, in the currency of the deposit. */
interface Exposed {
  readonly payoutId: string
  readonly exposure: Amounted
}

const cause = ({ requestId }: Pick<Covered, 'requestId'>): string => `fast-fill:${requestId}`

const entry = (
  { chainId, currency }: Amounted,
  account: LedgerEntry['account'],
  amount: bigint,
  holder?: string,
): LedgerEntry => ({ chainId, currency, account, amount, ...(holder === undefined ? {} : { holder }) })

/** A fast fill was accepted: what covers it is no longer free. */
export const collateralPosting = (fill: Covered): LedgerPosting => ({
  cause: cause(fill),
  event: 'accepted',
  entries: [
    entry(fill.collateral, 'app', fill.collateral.amount, fill.wallet),
    entry(fill.collateral, 'collateral', -fill.collateral.amount, fill.wallet),
  ],
})

/** Nothing was paid: the collateral is free again, less the gas that its own order burnt (`charge`, in the currency of balances). */
export const collateralEndedPosting = (fill: Covered & { readonly charge: bigint }): LedgerPosting => ({
  cause: cause(fill),
  event: 'ended',
  entries: [
    entry(fill.collateral, 'collateral', fill.collateral.amount, fill.wallet),
    entry(fill.collateral, 'app', fill.charge - fill.collateral.amount, fill.wallet),
    entry(fill.collateral, 'fees', -fill.charge),
  ],
})

/**
 * The deposit is settled: it pays what was lent, and the collateral is free again, with what the deposit brought beyond that or less
 * what it lacks (`surplus`, in the currency of balances, which is exchanged).
 */
export const settledPostings = (
  fill: Covered & Exposed & { readonly deposit: bigint; readonly surplus: bigint },
): readonly LedgerPosting[] => [
  {
    cause: `payout:${fill.payoutId}`,
    event: 'matched',
    entries: [
      entry(fill.exposure, 'owed', fill.deposit),
      entry(fill.exposure, 'exposure', -fill.exposure.amount, fill.wallet),
      entry(fill.exposure, 'conversion', fill.exposure.amount - fill.deposit),
    ],
  },
  {
    cause: cause(fill),
    event: 'settled',
    entries: [
      entry(fill.collateral, 'collateral', fill.collateral.amount, fill.wallet),
      entry(fill.collateral, 'app', -fill.collateral.amount - fill.surplus, fill.wallet),
      entry(fill.collateral, 'conversion', fill.surplus),
    ],
  },
]

/** No deposit came in time: the collateral pays what was lent (faults.md F70). */
export const debitedPostings = (fill: Covered & Exposed): readonly LedgerPosting[] => [
  {
    cause: `payout:${fill.payoutId}`,
    event: 'unmatched',
    entries: [
      entry(fill.exposure, 'exposure', -fill.exposure.amount, fill.wallet),
      entry(fill.exposure, 'conversion', fill.exposure.amount),
    ],
  },
  {
    cause: cause(fill),
    event: 'debited',
    entries: [
      entry(fill.collateral, 'collateral', fill.collateral.amount, fill.wallet),
      entry(fill.collateral, 'conversion', -fill.collateral.amount),
    ],
  },
]

/** A settled deposit became balance of a wallet: `worth` in the currency of balances, for which it is exchanged unless that is its own. */
export const creditedPosting = (credit: {
  readonly depositId: string
  readonly deposit: Amounted
  readonly worth: Amounted
  readonly wallet: string
}): LedgerPosting => {
  const { deposit, worth } = credit
  return {
    cause: `deposit:${credit.depositId}`,
    event: 'credited',
    entries: [
      entry(deposit, 'owed', deposit.amount),
      entry(deposit, 'conversion', -deposit.amount),
      entry(worth, 'conversion', worth.amount),
      entry(worth, 'app', -worth.amount, credit.wallet),
    ],
  }
}
