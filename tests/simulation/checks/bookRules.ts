import { type CheckedLedger, type CheckState, depositName } from './checkState.js'
import { isBelieved } from './invented.js'
import { signedTransfers } from './payments.js'
import type { Problem } from './problem.js'
import type { Rows } from './rows.js'

const ZERO = '5: the ledger sums to zero per currency'
const BALANCE = 'end: the books say what wallets and depositories hold'
const OWED = 'end: nothing is owed'
const HOLDS = 'end: no inventory is held or committed'

export const checkBooks = ({ books, unbalanced }: Rows): Problem[] => {
  const sums = new Map<string, bigint>()
  for (const { chain, currency, amount } of books) {
    const key = `${currency} on chain ${chain}`
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount))
  }
  return [
    ...unbalanced.map((id) => ({ invariant: ZERO, words: `ledger transaction ${id} does not` })),
    ...[...sums].flatMap(([key, sum]) => (sum === 0n ? [] : [{ invariant: ZERO, words: `${key} is off by ${sum}` }])),
  ]
}

/** When everything is finished. */
export const checkEndBooks = (state: CheckState, rows: Rows): Problem[] => [
  ...checkBalances(state, rows),
  ...checkOwed(rows),
  ...checkHolds(state, rows),
]

const bookedIn = ({ books }: Rows, account: string, chain: number, currency: string): bigint =>
  books
    .filter((book) => book.account === account && book.chain === chain && book.currency === currency)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const checkBalances = (state: CheckState, rows: Rows): Problem[] =>
  state.options.ledgers.flatMap((ledger) => {
    const { chainId, slug, depository, keys } = ledger
    const declared = declaredDifferences(state, ledger, rows)
    const currencies = new Set(rows.books.filter(({ chain }) => chain === chainId).map(({ currency }) => currency))
    return [...currencies].flatMap((currency) =>
      (
        [
          ['wallet', keys.payer.address],
          ['sender', keys.sender?.address ?? ''],
          ['depository', depository],
        ] as const
      ).flatMap(([account, holder]) => {
        const booked = bookedIn(rows, account, chainId, currency)
        const real = ledger.balance(holder, currency)
        const unbooked = declared.get(`${holder}:${currency}`) ?? 0n
        if (real === booked + unbooked) return []
        const words = `${slug} ${account} of ${currency}: ${booked} by the books, ${real} on the chain, ${unbooked} declared`
        return [{ invariant: BALANCE, words }]
      }),
    )
  })

/**
 * What the documentation says that the books do not know until an operator tells them: money sent to a wallet or given to it, and
 * payments of a past that the database lost and that no payout took over;
 * and little deposits that a single node invented, where its word was enough.
 */
const declaredDifferences = (
  state: CheckState,
  ledger: CheckedLedger,
  { attempts, deposits, books }: Rows,
): ReadonlyMap<string, bigint> => {
  const differences = new Map<string, bigint>()
  const add = (account: string, currency: string, amount: bigint) => {
    const key = `${account}:${currency}`
    differences.set(key, (differences.get(key) ?? 0n) + amount)
  }
  const payer = ledger.keys.payer.address
  for (const [key, amount] of state.unbooked) {
    if (key.startsWith(`${ledger.chainId}:`)) add(payer, key.slice(`${ledger.chainId}:`.length), amount)
  }
  for (const [currency, gifts] of giftsOf(ledger)) {
    const booked = openedWith(state, books, ledger, currency)
    // What came before books were opened anew is in them: the first of them, whole.
    if (!gifts.includes(booked)) add(payer, currency, 1n)
    add(payer, currency, (gifts.at(-1) ?? 0n) - booked)
  }
  const real = new Map(
    ledger.records().flatMap((record) => {
      const moved = record.swept ?? (record.status === 'success' ? [record.transfer] : [])
      return moved.map((money, at) => [depositName(record.id, at), money] as const)
    }),
  )
  for (const deposit of deposits) {
    if (deposit.chain !== ledger.chainId || !isBelieved(state, deposit)) continue
    const transfer = real.get(deposit.tx)
    const brought = transfer?.currency === deposit.currency ? BigInt(transfer.amount) : 0n
    add(ledger.depository, deposit.currency, brought - broughtBy(books, deposit.id))
  }
  const stored = new Set(attempts.map(({ tx }) => tx))
  for (const { chain, tx, transfer, record } of signedTransfers(state)) {
    if (chain !== ledger.chainId || record === null || stored.has(tx)) continue
    const { from, to, currency, amount, account } = transfer
    add(account, ledger.coin, -BigInt(record.fee))
    if (record.status !== 'success') continue
    add(from, currency, -BigInt(amount))
    if (to === payer) add(to, currency, BigInt(amount))
  }
  return differences
}

/** By currency, what strangers sent to the wallet, as sums of the first, the first two and so on; nothing first. */
const giftsOf = (ledger: CheckedLedger): ReadonlyMap<string, readonly bigint[]> => {
  const sums = new Map<string, bigint[]>()
  for (const { transfer, status } of ledger.records()) {
    const { from, to, currency, amount } = transfer
    if (status !== 'success' || to !== ledger.keys.payer.address || from === to || from === ledger.depository) continue
    const before = sums.get(currency) ?? [0n]
    sums.set(currency, [...before, (before.at(-1) ?? 0n) + BigInt(amount)])
  }
  return sums
}

/** How much more the books were opened with than at first, after a backup from before they were was put back. */
const openedWith = (state: CheckState, books: Rows['books'], { chainId }: CheckedLedger, currency: string): bigint => {
  const first = state.opened.get(`${chainId}:${currency}`)
  const capital = books.find(
    (book) => book.account === 'capital' && book.chain === chainId && book.currency === currency,
  )
  return first === undefined || capital === undefined ? 0n : -BigInt(capital.amount) - first
}

/** What a deposit brought into its depository by the books. */
const broughtBy = (books: Rows['books'], id: number): bigint =>
  books
    .filter(({ cause, account }) => cause === `deposit:${id}` && account === 'depository')
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const checkOwed = (rows: Rows): Problem[] => {
  const keys = new Set(
    rows.books.filter(({ account }) => account === 'owed').map((book) => `${book.chain}:${book.currency}`),
  )
  return [...keys].flatMap((key) => {
    const [chain = '', currency = ''] = key.split(':')
    const owed = -bookedIn(rows, 'owed', Number(chain), currency)
    return owed === 0n ? [] : [{ invariant: OWED, words: `${owed} of ${currency} on chain ${chain} is owed` }]
  })
}

const checkHolds = ({ now }: CheckState, { holds, requests }: Rows): Problem[] => [
  ...holds
    .filter(({ until }) => until > now)
    .map(({ chain, currency, amount }) => ({
      invariant: HOLDS,
      words: `${amount} of ${currency} on chain ${chain} is held`,
    })),
  ...requests
    .filter(({ committed, status }) => committed && status !== 'waiting')
    .map(({ id, status }) => ({ invariant: HOLDS, words: `request ${id} is ${status} and has inventory committed` })),
]
