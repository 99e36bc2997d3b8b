const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`

/** Words of the pages of lanes. */
export const lanes = {
  title: 'Lanes',
  lead: 'Each payout key of each chain has a lane: it signs one transaction after the other.',
  back: 'Lanes',
  lane: 'Lane',
  signer: 'Key',
  state: 'State',
  states: {
    open: 'Open',
    limited: 'At its hourly limit',
    settling: 'Settling',
    quarantined: 'Quarantined',
    'no-key': 'No key here',
    unused: 'Never used',
  } as Readonly<Record<string, string>>,
  hints: {
    open: 'It pays.',
    limited: 'It pays, and some payouts wait for the hourly limit.',
    settling: 'The database failed over; what it lost may still land. It opens by itself.',
    quarantined: 'Its key paid something that these books do not know. It pays nothing before an operator has looked.',
    'no-key': 'No process works it: a former key, or the host that has the key is down.',
    unused: 'Its key is here, and it never had anything to pay.',
  } as Readonly<Record<string, string>>,
  next: 'Next number',
  live: 'On their way',
  liveHint: 'Transactions that are signed and not in a block yet',
  notFinal: 'Not final',
  waiting: 'At the limit',
  oldest: 'Oldest unpaid',
  unknown: 'Unknown payments',
  former: 'former key',
  empty: 'No lane is there',
  emptyMore: 'A lane is made as soon as a host with a payout key runs.',
  noSuch: 'There is no such lane',
  facts: 'The lane',
  height: 'Journal up to block',
  named: 'Named in formerSolvers',
  yes: 'yes',
  no: 'no',
  spending: 'What left it within the hour',
  nothingSpent: 'Nothing left it within the hour.',
  limit: 'Limit',
  noLimit: 'no limit',
  unmatched: 'Payments that no payout here explains',
  noUnmatched: 'Every payment of this key is explained',
  noUnmatchedMore:
    'If the chain shows a payment of this key that the books do not know, it stands here and shuts the lane.',
  shuts: 'Keeps it shut',
  accounted: 'Accounted for',
  paid: 'Paid',
  deposits: 'Deposits of its order',
  found: 'Found',
  to: 'To',
  release: 'Release the lane',
  releaseOne: 'Release this payment…',
  releaseEffect: (chain: string, what: string) =>
    `The key of ${chain} may pay again. ${what} counts as accounted for. What these payments were for stays paid: it is not paid again. What was found since you looked keeps the lane shut.`,
  releaseAll: (count: number) =>
    count === 0
      ? 'What could not be read'
      : `Everything that keeps it shut (${count} payments, and what could not be read)`,
  releaseTx: (tx: string) => `The payment ${tx}`,
  releaseTitles: (count: number) => `Release ${counted(count, 'lane')}`,
  releaseEffects:
    'The keys may pay again. All that keeps these lanes shut counts as accounted for. These payments stay paid: they are not paid again. Payments found since you looked keep a lane shut.',
  releasePayments: 'Release payments',
  releasePaymentsTitles: (count: number) => `Release ${counted(count, 'payment')}`,
  releasePaymentsEffects: (chain: string) =>
    `These payments of the key of ${chain} count as accounted for, and are not paid again. The lane opens when no other payment keeps it shut.`,
  payments: (count: number) => counted(count, 'payment'),
  payment: (tx: string) => `Payment ${tx}`,
  first:
    'First close each deposit that such a payment was for (Parked, Close as paid): those open the lane by themselves.',
}
