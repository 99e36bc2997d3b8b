import type { CheckState } from '../checkState.js'
import { isBelieved } from '../invented.js'
import { type Payment, readPayments, type SignedTransfer } from '../payments.js'
import type { Problem } from '../problem.js'
import { indexOf } from '../rowIndex.js'
import type { BookRow, PayoutRow, Rows } from '../rows.js'

const SUMS = '5: balances of wallets are what their entries sum up to'
const BELOW = '5: no balance is below zero'
const STANDING: Readonly<Record<Account, string>> = {
  app: 'balance: what a payout took of a wallet or gave it is what it says',
  earned: 'balance: what is earned and not settled is that of fills in blocks',
  sponsored: 'balance: what is set aside is that of sponsored fills on their way',
  claimed: 'balance: what is claimed is that of claims on their way',
}
const PROMISED = 'sponsor: it pays no more than its quote keeps'
const EARLY = 'balance: what is earned is free once nothing of it can leave its chain'
const SETTLED = 'end: what is earned is settled'
const BOOKED = 'end: every claim that a chain shows is booked, or an operator knows of it'

type Account = 'app' | 'earned' | 'sponsored' | 'claimed'
const ACCOUNTS: readonly Account[] = ['app', 'earned', 'sponsored', 'claimed']

const IN_BLOCK: ReadonlySet<string> = new Set(['included', 'final'])

/** What payouts do to balances of wallets, after every step. */
export const checkBalances = (state: CheckState, rows: Rows): Problem[] => [
  ...rows.offBalances.map((words) => ({ invariant: SUMS, words })),
  ...checkBelow(rows),
  ...checkStanding(rows),
  ...rows.payouts.flatMap((payout) => [...checkPromised(payout), ...checkEarly(state, rows, payout)]),
]

const isOfWallet = ({ account, holder }: BookRow): boolean => holder !== '' && account !== 'integrator'

const checkBelow = ({ books }: Rows): Problem[] => {
  const sums = new Map<string, bigint>()
  for (const book of books.filter(isOfWallet)) {
    const key = `${book.account} of ${book.holder}`
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(book.amount))
  }
  // What is owed stands below zero in the books.
  return [...sums].flatMap(([key, sum]) => {
    const isBelow = key.startsWith('exposure') ? sum < 0n : sum > 0n
    return isBelow ? [{ invariant: BELOW, words: `${key} is off by ${sum}` }] : []
  })
}

/** By account, and the wallet whose it is. */
type Sums = Map<string, bigint>

const add = (sums: Sums, account: Account, holder: string, amount: bigint): void => {
  const key = `${account} ${holder}`
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}

/** What must stand in the accounts of wallets because of a payout, as the books write it: owed is below zero. */
const expectedOf = ({ state, earning, earnings, sponsorship, claim }: PayoutRow): Sums => {
  const sums: Sums = new Map()
  const isPaid = IN_BLOCK.has(state)
  for (const { holder, worth } of isPaid ? (earnings?.list ?? []) : []) {
    add(sums, earning === 'settled' ? 'app' : 'earned', holder, -BigInt(worth))
  }
  for (const [account, taken] of [
    ['sponsored', sponsorship],
    ['claimed', claim],
  ] as const) {
    if (taken === null || state === 'dead') continue
    add(sums, 'app', taken.holder, BigInt(taken.amount))
    if (!isPaid) add(sums, account, taken.holder, -BigInt(taken.amount))
  }
  return sums
}

const ofPayout = /^payout:(\d+)$/

const checkStanding = (rows: Rows): Problem[] => {
  const booked = new Map<number, Sums>()
  for (const book of rows.books) {
    const id = Number(ofPayout.exec(book.cause)?.[1] ?? 0)
    const account = ACCOUNTS.find((item) => item === book.account)
    if (id === 0 || account === undefined) continue
    const sums: Sums = booked.get(id) ?? new Map()
    add(sums, account, book.holder, BigInt(book.amount))
    booked.set(id, sums)
  }
  const ids = new Set([...booked.keys(), ...rows.payouts.filter(touchesBalances).map(({ id }) => id)])
  return [...ids].flatMap((id) => {
    const payout = indexOf(rows).payouts.get(id)
    const due = payout === undefined ? new Map<string, bigint>() : expectedOf(payout)
    const stands = booked.get(id) ?? new Map<string, bigint>()
    return [...new Set([...due.keys(), ...stands.keys()])].flatMap((key): Problem[] => {
      const [is, should] = [stands.get(key) ?? 0n, due.get(key) ?? 0n]
      const account = ACCOUNTS.find((item) => key.startsWith(`${item} `))
      if (is === should || account === undefined) return []
      const words = `${key} by ${payout?.purpose ?? 'no payout'} ${id}, which is ${payout?.state ?? 'not there'}: ${is}, should be ${should}`
      return [{ invariant: STANDING[account], words }]
    })
  })
}

const touchesBalances = ({ earnings, sponsorship, claim }: PayoutRow): boolean =>
  earnings !== null || sponsorship !== null || claim !== null

const checkPromised = ({ id, sponsorship, promised }: PayoutRow): Problem[] => {
  if (sponsorship === null || BigInt(sponsorship.amount) <= BigInt(promised ?? 0)) return []
  return [
    { invariant: PROMISED, words: `fill ${id} takes ${sponsorship.amount} of ${promised ?? 'nothing'} that is kept` },
  ]
}

/**
 * Payment and deposit are both beyond any reorg, or collateral paid in place of a deposit. What one node made up may cost its whole worth,
 * and this is a part of it.
 */
const checkEarly = (
  state: CheckState,
  rows: Rows,
  { id, state: standing, earning, deposit: depositId }: PayoutRow,
): Problem[] => {
  const deposit = indexOf(rows).deposits.get(depositId ?? -1)
  const isThere = deposit?.state === 'included' || (deposit !== undefined && isBelieved(state, deposit))
  const isDebited = rows.fastFills.some(({ payout, state: at }) => payout === id && at === 'debited')
  if (earning !== 'settled' || (standing === 'final' && (isThere || isDebited))) return []
  return [{ invariant: EARLY, words: `fill ${id} is ${standing}, its deposit ${deposit?.state ?? 'unknown'}` }]
}

/** When everything is finished. What was earned by a deposit that left its chain afterwards is never settled. */
export const checkEndBalances = (rows: Rows, signed: readonly SignedTransfer[]): Problem[] => [
  ...rows.payouts.flatMap(({ id, state: standing, earning, deposit: depositId }) => {
    const isThere = indexOf(rows).deposits.get(depositId ?? -1)?.state === 'included'
    if (earning !== 'open' || standing !== 'final' || !isThere) return []
    return [{ invariant: SETTLED, words: `what is earned by fill ${id} is not` }]
  }),
  ...readPayments(signed).flatMap((payment) => checkKnown(rows, payment)),
]

const checkKnown = ({ payouts, claims, lostClaims }: Rows, { purpose, order, tx }: Payment): Problem[] => {
  if (purpose !== 'claim' || lostClaims.some(({ id, released }) => released && id === order)) return []
  const claim = claims.find(({ id }) => id === order)
  const payout = payouts.find(({ id }) => id === claim?.payout)
  return payout?.state === 'final'
    ? []
    : [{ invariant: BOOKED, words: `${tx} pays claim ${order}, ${payout?.state ?? 'unknown'} here` }]
}
