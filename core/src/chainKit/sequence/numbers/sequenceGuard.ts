/** A number in an account's order, and the last point at which a payment that has it can land. */
export interface SequenceSlot {
  /** Sequence, seqno, nonce, or a counter of ours where the chain has none. */
  readonly sequence: bigint
  /** Height or time, in the chain's own unit of expiry: the last at which a block can hold the payment. */
  readonly until: bigint
  /** The number is one that the account held aside (`AccountReading.aside`), out of the order. */
  readonly aside?: boolean
}

export interface SequenceGuard extends SequenceSlot {
  /** In canonical spelling; it may hold colons (chains.md tonvm 1). */
  readonly account: string
}

/** What keeps a payment from landing twice, and from being taken for another one: account, number and expiry. */
export const sequenceGuard = ({ account, sequence, until }: SequenceGuard): string =>
  `sequence:${account}:${sequence}:${until}`

/** Reverse of `sequenceGuard`; null for other guards. */
export const readSequenceGuard = (guard: string): SequenceGuard | null => {
  const [, account, sequence, until] = /^sequence:(.+):(\d{1,30}):(\d{1,30})$/.exec(guard) ?? []
  if (account === undefined || sequence === undefined || until === undefined) return null
  return { account, sequence: BigInt(sequence), until: BigInt(until) }
}
