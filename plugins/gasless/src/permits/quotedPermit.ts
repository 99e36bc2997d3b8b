import type { Json } from '@causeway/core'
import type { PermitForm } from '@causeway/core/chain'

/** The form of a permit within what is stored as quoted; the amount as decimal text. */
export const quotedPermit = ({ terms, sign }: PermitForm): Json => ({
  ...{ terms: { ...terms, money: { ...terms.money, amount: terms.money.amount.toString() } } },
  sign: { ...sign },
})

/** Reads it back from the stored text; null for a quote that is not paid by a signature. */
export const readQuotedPermit = (quoted: string): PermitForm | null => {
  // CAST: the text that this service stored with the quote.
  const { permit } = JSON.parse(quoted) as {
    permit?: Omit<PermitForm, 'terms'> & {
      terms: Omit<PermitForm['terms'], 'money'> & { money: { currency: string; amount: string } }
    }
  }
  if (permit === undefined) return null
  const { terms, sign } = permit
  return { terms: { ...terms, money: { ...terms.money, amount: BigInt(terms.money.amount) } }, sign }
}
