/** What decides whether a payout may share a transaction. */
export interface Groupable {
  /** Anything that two payouts to one recipient have in common; null: it needs a transaction of its own. */
  readonly recipient: string | null
  /** Only payouts of one kind share a transaction. */
  readonly kind: 'payment' | 'sweep'
}

/**
 * Payouts, by their place in the list, that share a transaction, in their order: at most `most`, none of two to one recipient, since
 * it could not be told then which of them was paid.
 */
export const payoutGroups = (payouts: readonly Groupable[], most: number): readonly (readonly number[])[] => {
  const groups: number[][] = []
  const open: (Pick<Groupable, 'kind'> & { readonly places: number[]; readonly recipients: Set<string> })[] = []
  for (const [at, { recipient, kind }] of payouts.entries()) {
    const group =
      recipient !== null &&
      open.find((other) => other.kind === kind && other.places.length < most && !other.recipients.has(recipient))
    if (group) {
      group.places.push(at)
      group.recipients.add(recipient)
      continue
    }
    const places = [at]
    groups.push(places)
    if (recipient !== null) open.push({ kind, places, recipients: new Set([recipient]) })
  }
  return groups
}
