/** Words that many pages of the console have. */
export const parts = {
  unitsOf: (currency: string) => `smallest units of ${currency}`,
  transaction: 'transaction',
  address: 'address',
  requestId: 'request id',
  orderId: 'order id',
  chain: 'Chain',
  allChains: 'All chains',
  currency: 'Currency',
  amount: 'Amount',
  state: 'State',
  since: 'Since',
  why: 'Why',
  readAt: 'Read',
  refresh: 'Read again',
  limited: (count: number) => `The first ${count} are shown.`,
}

/** Words around a command that is asked for and run. */
export const action = {
  reason: 'Reason',
  reasonHint: 'Kept in the audit, for whoever asks later.',
  reasonOffered: 'Kept in the audit; may be left out.',
  missing: (field: string) => `${field} is needed.`,
  sameLine: 'The same on the command line',
  line: 'command line',
  done: 'Done.',
  said: 'What the service says',
  lastCharacters: (count: number, what: string) => `To confirm, type the last ${count} characters of the ${what}.`,
}
