import type { Json } from '@causeway/core'
import type { PermitForm } from '@causeway/core/chain'

/** A permit as its quote stored it. */
export interface QuotedPermit {
  readonly form: PermitForm
  /** Network fee that the quote charged for its transaction, native smallest unit; null: a quote of an earlier version did not store it. */
  readonly charged: bigint | null
}

/** The form of a permit within what is stored as quoted; amounts as decimal text. */
export const quotedPermit = ({ terms, sign }: PermitForm, charged: bigint): Json => ({
  ...{ terms: { ...terms, money: { ...terms.money, amount: terms.money.amount.toString() } } },
  sign: { ...sign },
  charged: charged.toString(),
})

/** Reads it back from the stored text; null for a quote that is not paid by a signature. */
export const readQuotedPermit = (quoted: string): QuotedPermit | null => {
  // CAST: the text that this service stored with the quote.
  const { permit } = JSON.parse(quoted) as {
    permit?: Omit<PermitForm, 'terms'> & {
      terms: Omit<PermitForm['terms'], 'money'> & { money: { currency: string; amount: string } }
      charged?: string
    }
  }
  if (permit === undefined) return null
  const { terms, sign, charged } = permit
  const form = { terms: { ...terms, money: { ...terms.money, amount: BigInt(terms.money.amount) } }, sign }
  return { form, charged: charged === undefined ? null : BigInt(charged) }
}
