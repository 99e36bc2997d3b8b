import { randomBytes } from 'node:crypto'
import type {
  Arrival,
  DepositAddress,
  DepositAddresses,
  DepositAddressTerms,
  Live,
} from '../../chain/address/depositAddresses.js'
import type { ChainAdapter, WatchPage } from '../../chain/chainAdapter.js'
import type { ChainMoney } from '../../chain/chainReferences.js'
import { destinationText, readAddressToPay, sameDestination } from '../../chain/destination.js'
import type { Json } from '../../chain/json.js'
import type { Payout, SignedAttempt } from '../../chain/laneAdapter.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { depositsOf, distinct, newOrderId, readUntil, stored, watchPast } from './depositing.js'
import { broadcast, checkJson, signPayout, succeeded } from './paying.js'
import { check, nativeOf, there } from './rule.js'

/** Why the rules of deposit addresses have no meaning for an adapter. */
export const hasNoAddresses = ({ adapter }: ConformanceHarness): string | null =>
  adapter.depositAddresses === undefined ? 'the adapter has no depositAddresses' : null

export const addressesOf = ({ adapter }: Pick<ConformanceHarness, 'adapter'>): DepositAddresses =>
  there(adapter.depositAddresses, 'the adapter has no depositAddresses')

export const newTerms = ({ user }: ConformanceHarness): DepositAddressTerms => ({
  orderId: newOrderId(),
  depositor: user.address,
})

/** An address as the database gives it back: derived, or the next of a pool. */
export const newAddress = (harness: ConformanceHarness, terms = newTerms(harness)): DepositAddress => {
  const subject = addressesOf(harness)
  const { destination, derivation } = subject.derive === undefined ? pooled(harness, subject) : subject.derive(terms)
  checkJson('the derivation of an address', derivation)
  return { ...terms, destination, derivation: stored(derivation) }
}

const pooled = ({ seed }: ConformanceHarness, { pool }: DepositAddresses) => {
  const makes = there(pool, 'depositAddresses has neither derive nor a pool')
  return makes.make(there(seed, 'the harness has no "seed", which makes the addresses of a pool'), newSalt())
}

export const newSalt = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`

/** Sends a plain payment as the step of a quote says; returns its transaction id. */
export const payTo = async (harness: ConformanceHarness, to: DepositAddress, money: ChainMoney): Promise<string> => {
  const { user } = harness
  const items = await addressesOf(harness).buildPayment({ from: user.address, to: to.destination, money })
  check(items.length > 0, 'buildPayment gives no step')
  let last = ''
  for (const item of items) last = await user.send(item.data, item)
  return last
}

/** A set of live addresses; those that were given since are in it after the next `refresh`, as in a database. */
export const liveOf = (first: readonly DepositAddress[]): Live & { give(address: DepositAddress): void } => {
  const live = new Set<string>()
  let given = first.map(({ destination }) => destination.address)
  return {
    give: ({ destination }) => {
      given = [...given, destination.address]
    },
    refresh: async () => {
      for (const address of given) live.add(address)
    },
    has: (address) => live.has(address),
    awaits: () => false,
    accounts: () => live,
    get size() {
      return live.size
    },
  }
}

export const arrivalKey = ({ tx, to, money, position }: Arrival): string =>
  `${tx.id} ${destinationText(to)} ${money.currency} ${position}`

/** What is in blocks, each identity once. */
export const arrivalsOf = (pages: readonly WatchPage[]): Arrival[] => [
  ...new Map(
    pages
      .flatMap(({ arrivals = [] }) => arrivals)
      .filter(({ state }) => state === 'included')
      .map((arrival) => [arrivalKey(arrival), arrival]),
  ).values(),
]

export const arrivalsUntil = (
  harness: Pick<ConformanceHarness, 'adapter' | 'advance' | 'patienceSeconds'>,
  cursor: Json,
  live: Live,
  enough: (pages: readonly WatchPage[]) => boolean,
): Promise<WatchPage[]> => readUntil(harness, { cursor, live }, enough)

/** The newest cursor of arrivals, read once from nothing, as it is stored. */
export const arrivalTip = async (harness: ConformanceHarness, live: Live): Promise<Json> => {
  const tip = (await harness.adapter.tip()).height
  await harness.advance(1)
  const pages = await arrivalsUntil(harness, null, live, (read) => (read.at(-1)?.height ?? -1n) >= tip)
  return stored(pages.at(-1)?.cursor ?? null)
}

/** A payout that takes what lies at an address into the depository. */
export const sweepOf = (
  { adapter, signer }: ConformanceHarness,
  address: DepositAddress,
  money: ChainMoney,
  currencies: readonly string[] = [money.currency],
): Payout => ({
  purpose: 'sweep',
  orderId: address.orderId,
  from: adapter.lane.addressOf(signer),
  to: { address: adapter.depository },
  money,
  calls: [],
  sweep: { address, currencies },
})

/** Sweeps, and waits until the chain holds it. */
export const sweep = async (harness: ConformanceHarness, payout: Payout): Promise<SignedAttempt> => {
  const attempt = await signPayout(harness, payout)
  await broadcast(harness.adapter, attempt)
  await succeeded(harness, attempt, payout)
  return attempt
}

/** Amounts of currencies that lie at an address, in the order given; 0 where nothing does. */
export const heldAt = async (
  harness: ConformanceHarness,
  address: DepositAddress,
  currencies: readonly string[] = harness.currencies,
): Promise<readonly bigint[]> => {
  const [held] = await addressesOf(harness).holdings([address], currencies)
  const money = there(held, 'holdings gives no answer')
  return currencies.map((currency) => money.find((item) => item.currency === currency)?.amount ?? 0n)
}

/**
 * The watcher must show, after what came to the address and under its order id, deposits of just these sums from a cursor on, for the depositor of the
 * address; or for the address itself, on a chain that knows only who held the money (wire.md E.4).
 */
export const checkDeposited = async (
  harness: ConformanceHarness,
  cursor: Json,
  address: DepositAddress,
  sums: ReadonlyMap<string, bigint>,
): Promise<void> => {
  const { adapter } = harness
  const pages = await watchPast(harness, cursor, { live: liveOf([address]) })
  const isOfAddress = ({ deposits }: WatchPage): boolean => deposits.some(({ orderId }) => orderId === address.orderId)
  const arrived = pages.findIndex(({ arrivals = [] }) => arrivals.length > 0)
  check(arrived !== -1, 'the pages that show what a sweep made do not show what came to its address')
  check(arrived <= pages.findIndex(isOfAddress), 'shows what a sweep made before what came to its address')
  const deposits = distinct(depositsOf(pages, address.orderId)).filter(({ state }) => state === 'included')
  for (const [currency, wanted] of sums) {
    const found = deposits.filter(({ money }) => money.currency === currency)
    const sum = found.reduce((total, { money }) => total + money.amount, 0n)
    check(sum === wanted, `of ${currency} the depository shows ${sum} for the address, swept should be ${wanted}`)
  }
  const others = deposits.filter(({ money }) => !sums.has(money.currency))
  check(others.length === 0, `a deposit of ${others[0]?.money.currency} is shown that was not swept`)
  for (const { depositor } of deposits) {
    const known = [address.depositor, destinationText(address.destination)].some((owner) =>
      isOwner(adapter, owner, depositor),
    )
    check(known, `names ${depositor} as the depositor of what was swept`)
  }
}

/** Whether two texts name one owner, who may be written as an account and a tag, or as one address. */
const isOwner = (adapter: ChainAdapter, left: string, right: string): boolean => {
  const [one, other] = [readAddressToPay(adapter, left), readAddressToPay(adapter, right)]
  return one.ok && other.ok && sameDestination(adapter, one.destination, other.destination)
}

/** A native amount lies at a new address; with the cursor of the ordinary watcher's beginning. */
export const paidAddress = async (
  harness: ConformanceHarness,
): Promise<{ readonly address: DepositAddress; readonly money: ChainMoney }> => {
  const address = newAddress(harness)
  const money = { currency: nativeOf(harness), amount: harness.amount }
  await payTo(harness, address, money)
  return { address, money }
}
