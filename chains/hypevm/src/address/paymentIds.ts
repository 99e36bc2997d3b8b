/** A payment of this service: the signer of its action and the nonce. */
export interface PaymentId {
  readonly sender: string
  /** Unix milliseconds. */
  readonly nonce: number
}

const FORM = /^0x([0-9a-f]{40})0{12}([0-9a-f]{12})$/

/**
 * Id of a payment before the exchange gave its hash: 20 bytes of the sender and 12 bytes of the nonce, which no two actions of a sender
 * share (chains.md hypevm 5).
 */
export const paymentId = ({ sender, nonce }: PaymentId): string => `${sender}${nonce.toString(16).padStart(24, '0')}`

/** Reverse of `paymentId`; null for a hash of the exchange. */
export const readPaymentId = (id: string): PaymentId | null => {
  const [, sender, nonce] = FORM.exec(id) ?? []
  return sender === undefined || nonce === undefined
    ? null
    : { sender: `0x${sender}`, nonce: Number.parseInt(nonce, 16) }
}
