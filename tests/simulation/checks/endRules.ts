import { FINISHED_STATUSES } from '@causeway/core/plugin'
import { type CheckState, depositNames } from './checkState.js'
import { bookedOf, consumedOf } from './depositRules.js'
import { isBelieved, isInvented } from './invented.js'
import { readPayments, signedTransfers } from './payments.js'
import type { Problem } from './problem.js'
import type { DepositRow, PayoutRow, Rows } from './rows.js'

const DONE = 'end: everything is finished'
const ACCOUNTED = 'end: every deposit on a chain is accounted for'
const LANDED = 'end: every final payout is on its chain once, and every payment is of one'

/** When faults have stopped and nothing is on its way any more: what is left waits for ever by design. */
export const checkFinished = (state: CheckState, rows: Rows): Problem[] => [
  ...checkDone(state, rows),
  ...checkAccounted(state, rows),
  ...checkLanded(state, rows),
]

/** A request whose deposit left its chain waits for another one. */
const checkDone = (state: CheckState, { requests, payouts, deposits, fastFills }: Rows): Problem[] => [
  ...requests
    .filter(({ id, status }) => {
      const arrived = deposits.some((deposit) => deposit.request === id && deposit.state === 'included')
      return !FINISHED_STATUSES.includes(status) && (status !== 'waiting' || arrived)
    })
    .map(({ id, status, action }) => ({ invariant: DONE, words: `request ${id} is ${status}, next: ${action}` })),
  ...payouts
    .filter((payout) => payout.action !== null && !waitsForFunds(state, payout))
    .map(({ id, purpose, state: standing, action, trouble }) => ({
      invariant: DONE,
      words: `${purpose} ${id} is ${standing}, next: ${action}${trouble === null ? '' : ` (${trouble})`}`,
    })),
  ...fastFills
    .filter(({ action }) => action !== null)
    .map(({ request, state, action }) => ({
      invariant: DONE,
      words: `the fast fill of ${request} is ${state}, next: ${action}`,
    })),
]

/** Balances are topped up on one chain and claimed on another: a claim of more than the solver holds there waits until an operator brings it. */
const waitsForFunds = ({ options }: CheckState, { purpose, state, chain, currency, amount }: PayoutRow): boolean => {
  if (purpose !== 'claim' || state !== 'ready') return false
  const ledger = options.ledgers.find(({ chainId }) => chainId === chain)
  if (ledger === undefined) return false
  const held = ledger.balance(ledger.keys.payer.address, currency)
  // Of its coin something goes for the fee.
  return currency === ledger.coin ? held <= BigInt(amount) : held < BigInt(amount)
}

const checkAccounted = (state: CheckState, rows: Rows): Problem[] => {
  const { options, shown } = state
  const stored = new Set(rows.deposits.map(({ chain, tx }) => `${chain}:${tx}`))
  const canonical = new Set(
    options.ledgers.flatMap((ledger) =>
      ledger
        .records()
        // What brought a deposit in once may fail in the block that takes the place of that one.
        .flatMap((record) => (record.status === 'success' ? depositNames(record) : []))
        .map((id) => `${ledger.chainId}:${id}`),
    ),
  )
  const unknown = [...shown].filter(([id]) => canonical.has(id) && !stored.has(id))
  return [
    ...unknown.map(([id, { amount, currency }]) => ({
      invariant: ACCOUNTED,
      words: `${id} brought ${amount} of ${currency}, and no row tells of it`,
    })),
    ...rows.deposits.flatMap((deposit) => {
      const id = `${deposit.chain}:${deposit.tx}`
      // What one node made up may be there until the others are asked, and be a loss afterwards.
      const isThere = isBelieved(state, deposit)
        ? deposit.state === 'included'
        : canonical.has(id) && !isInvented(state, deposit)
      const words = faultOf(rows, deposit, isThere)
      return words === null ? [] : [{ invariant: ACCOUNTED, words: `deposit ${deposit.id} (${id}) ${words}` }]
    }),
  ]
}

/** What is wrong with the account of a deposit, in words. */
const faultOf = (rows: Rows, deposit: DepositRow, isThere: boolean): string | null => {
  if ((deposit.state === 'included') !== isThere) return `is ${deposit.state}, and ${isThere ? '' : 'not '}on its chain`
  const owed = -bookedOf(rows, deposit, 'owed')
  if (owed !== 0n) return `is finished and ${owed} is owed`
  if (!isThere) return null
  // It is a wallet's, whole.
  if (deposit.outcome === 'balance') return null
  const payouts = rows.payouts.filter(({ deposit: id, state }) => id === deposit.id && state === 'final')
  const paid = payouts.reduce((sum, payout) => sum + consumedOf(deposit, payout), 0n)
  const parked = -bookedOf(rows, deposit, 'parked')
  return paid + parked === BigInt(deposit.amount) ? null : `of ${deposit.amount}: ${paid} is paid and ${parked} parked`
}

const checkLanded = (state: CheckState, rows: Rows): Problem[] => {
  const signed = signedTransfers(state)
  const payments = new Set(readPayments(signed).map(({ chain, tx }) => `${chain}:${tx}`))
  const attempts = rows.attempts.filter(({ kind, chain, tx }) => kind === 'pay' && payments.has(`${chain}:${tx}`))
  return [
    ...rows.payouts.flatMap(({ id, purpose, state: standing, generation }) => {
      const landed = attempts.filter(({ payout }) => payout === id).length
      // Somebody else may have submitted a withdrawal, before anything was signed here.
      const due = standing === 'final' && !(purpose === 'withdraw' && generation === 0) ? 1 : 0
      return landed === due
        ? []
        : [{ invariant: LANDED, words: `${purpose} ${id} is ${standing} and landed ${landed} times` }]
    }),
    ...signed
      .filter(({ record }) => record === null)
      .map(({ chain, tx }) => ({ invariant: LANDED, words: `${tx} still waits for a block of chain ${chain}` })),
  ]
}
