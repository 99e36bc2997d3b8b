const deposits = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'deposit' : 'deposits'}`

/** Words of the pages of parked deposits. */
export const parked = {
  title: 'Parked',
  lead: 'Deposits that the service may not decide alone: their money waits for you.',
  back: 'Parked',
  deposit: (number: string) => `Deposit ${number}`,
  column: 'Deposit',
  money: 'Parked',
  of: 'of',
  why: 'Why',
  seen: 'Seen',
  request: 'Request',
  paid: 'Paid before',
  paidBefore: 'Paid already',
  empty: 'Nothing is parked',
  emptyMore:
    'A deposit comes here if nobody knows its order, if it is of a currency that is not held, or if neither a fill nor a refund of it was possible.',
  nothingLeft: 'Nothing of it is parked any more: it was decided. “Everything about it” tells what became of it.',
  facts: 'The deposit',
  deposited: 'Deposited',
  transaction: 'Transaction',
  position: 'Which deposit of it',
  from: 'From',
  orderId: 'Order id',
  none: 'none',
  state: 'State on the chain',
  refundTo: 'Refund address',
  recovery: 'Recovery address',
  explain: 'Everything about it',
  paidBy: 'These transactions paid its order already',
  paidByLead:
    'They were made in a time that the database forgot. Close the deposit with the right one; it is not paid again.',
  refund: 'Refund',
  refundTitle: (number: string) => `Refund deposit ${number}`,
  refundEffect: (money: string, chain: string, to: string) =>
    `Sends back ${money} on ${chain}, less the gas of doing so, to ${to}. The solver signs and sends it once; it cannot be taken back.`,
  depositor: (address: string) => `the depositor, ${address}`,
  refundAddress: (address: string) => `the refund address, ${address}`,
  recoveryAddress: (address: string) => `the recovery address, ${address}`,
  to: 'To another address',
  toHint: 'Leave it empty to pay as the first line says.',
  assign: 'Assign',
  assignTitle: (number: string) => `Assign deposit ${number}`,
  assignEffect: (money: string, from: string) =>
    `Gives ${money} of ${from} to a quote or request that still waits for a deposit. It is then filled as if it had carried that order id: right chain and currency, enough, not expired.`,
  requestField: 'Request id',
  requestHint: 'Of the quote or request that it is for.',
  close: 'Close as paid',
  paidCount: (count: number) =>
    `${count.toLocaleString('en')} of these ${count === 1 ? 'deposits was' : 'deposits were'} paid already.`,
  closeAll: 'Close all that were paid',
  closeAllEffect:
    'Closes every parked deposit whose order exactly one transaction paid: that transaction becomes its payment, and nothing is sent. The others stay, and the answer names them.',
  closeTitle: (number: string) => `Close deposit ${number} as paid`,
  closeEffect: (money: string) =>
    `A transaction that was sent already becomes the payment of ${money}. Nothing is sent, and this deposit is never paid again.`,
  kind: 'Paid before',
  kinds: { all: 'All deposits', paid: 'Paid already', unpaid: 'Not paid' },
  emptyKind: 'No deposit of this kind is parked',
  closeTitles: (count: number) => `Close ${deposits(count)} as paid`,
  closeEffects:
    'Closes each deposit with the one transaction that paid its order. Nothing is sent, and these deposits are never paid again.',
  refundTitles: (count: number) => `Refund ${deposits(count)}`,
  refundEffects:
    'Sends each deposit back, less its gas: to its refund address, else to its recovery address, else to its depositor. It cannot be taken back.',
  recoverTitles: (count: number) => `Recover ${deposits(count)}`,
  recoverEffects:
    "Pays each deposit, less its gas, to its integrator's recovery address. For deposits that can neither be filled nor refunded. It cannot be taken back.",
  paidByField: 'Transaction that paid',
  recover: 'Recover',
  recoverTitle: (number: string) => `Recover deposit ${number}`,
  recoverEffect: (money: string, chain: string, to: string) =>
    `Pays ${money} on ${chain}, less the gas of doing so, to the integrator's recovery address ${to}. For what can neither be filled nor refunded; it cannot be taken back.`,
}
