import type { TxRef } from './chainReferences.js'
import type { Json } from './json.js'

/** What a column holds of `TxRef.locator`; null where a transaction is found by its id alone. */
export const locatorText = (locator: Json | undefined): string | null =>
  locator === undefined || locator === null ? null : JSON.stringify(locator)

/** The member that `locatorText` was made of, absent where there was none. */
export const locatorOf = (text: string | null): Pick<TxRef, 'locator'> =>
  text === null ? {} : { locator: JSON.parse(text) }

/** The same member of something that may have it. */
export const locatorMember = ({ locator }: Pick<TxRef, 'locator'>): Pick<TxRef, 'locator'> =>
  locator === undefined ? {} : { locator }

/** A transaction as it was stored: its id, and what else the chain needs to find it. */
export const storedTx = (tx: { readonly txId: string } & Pick<TxRef, 'locator'>): TxRef => ({
  id: tx.txId,
  ...locatorMember(tx),
})
