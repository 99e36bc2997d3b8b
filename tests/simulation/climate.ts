import { NATIVE } from '../adapter/ledgerChain/src/address.js'
import type { Limits } from './checks/checkState.js'
import { type Focus, focusOf } from './focus.js'
import { type Random, seeded } from './kernel/random.js'

/** What a world is like beside its story; the same for a story that was shrunk. */
export interface Climate {
  /** What the solver owns of each chain's coin, and of its token, at the beginning; smallest unit. */
  readonly inventory: { readonly coin: bigint; readonly token: bigint }
  /** `limits.unsettledUsd` of both chains. */
  readonly unsettledUsd: bigint
  /** Whether users may pay to addresses of their quotes. */
  readonly addresses: boolean
  /** Whether balances of wallets are kept, by which orders are filled ahead of their deposits. */
  readonly balances: boolean
  /** Whether users may sign for deposits that hosts send. */
  readonly permits: boolean
  /** `unpaidCapUsd` of `POST /execute`: less than two transactions cost, or more than all of them. */
  readonly unpaidCapUsd: string
  /** What wallets have of it at the beginning, smallest unit, the sponsor first. */
  readonly granted: readonly bigint[]
}

const RICH = 20_000_000_000n

/** A world with a focus has what that needs. */
const has = (seed: number, feature: NonNullable<Focus['needs']>, generator: string, share: number): boolean => {
  const focus = focusOf(seed)
  return focus === null ? seeded(`${seed}/${generator}`).chance(share) : focus.needs === feature
}

/** In every second world, which has a generator of its own for that: the others are as they were without. */
export const hasAddresses = (seed: number): boolean => has(seed, 'addresses', 'addresses', 0.5)

/** In every second world of its own too. */
export const hasBalances = (seed: number): boolean => has(seed, 'balances', 'balances', 0.5)

/** In two of five worlds, of its own again. */
export const hasPermits = (seed: number): boolean => has(seed, 'permits', 'origins', 0.4)

/** A third of the worlds is short of something. */
export const climateOf = (seed: number): Climate => {
  const random = seeded(`${seed}/climate`)
  return {
    inventory: { coin: random.pick([RICH, RICH, 3_000_000_000n]), token: random.pick([RICH, RICH, 400_000_000n]) },
    unsettledUsd: random.pick([2_000n, 2_000n, 400n]),
    addresses: hasAddresses(seed),
    balances: hasBalances(seed),
    permits: hasPermits(seed),
    unpaidCapUsd: seeded(`${seed}/unpaid`).pick(['0.003', '20']),
    granted: grantedIn(seed),
  }
}

/** In some worlds the sponsor has little. */
const grantedIn = (seed: number): readonly bigint[] => {
  const random = seeded(`${seed}/granted`)
  const units = [random.pick([20, 150, 900]), random.pick([0, 40]), random.pick([0, 40])]
  return units.map((whole) => BigInt(whole) * 1_000_000n)
}

/** How much more often than usual something happens. */
const FAVOURS = [0, 0, 1, 1, 1, 3, 8] as const

/**
 * How often each action is chosen in the world of a seed: one world is full of reorgs, another one never sees any. What needs several
 * faults of one kind, or none of another, comes to pass that way.
 */
export const weightsOf = (
  seed: number,
  actions: readonly { readonly name: string; readonly weight: number }[],
): readonly number[] => {
  const random = seeded(`${seed}/weights`)
  return actions.map(({ name, weight }) => weight * (name === 'transfer' ? 1 : favour(random)))
}

const favour = (random: Random): number => random.pick(FAVOURS)

/** What a coin may be worth in dollars; in most worlds for ever as it is at first. */
export const COIN_PRICES = ['2', '1.8', '2.4'] as const

/** What the deployment is told to risk, in dollars. By the lowest price: a deposit counts by the price of its moment. */
export const limitsOf = ({ unsettledUsd }: Climate): Limits => ({
  worth: ({ currency, amount }) => (amount * (currency === NATIVE ? 18n : 10n)) / 10_000_000n,
  quorum: 100n,
  unsettled: unsettledUsd,
})
