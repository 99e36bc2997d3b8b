import type { CurrencyRegistry } from '@causeway/core'
import { parseTerms } from '@causeway/core/plugin'
import { type ShownMoney, shown } from '../text/moneyText.js'
import { type AddressHistory, type AddressRow, type PlaceRow, TOLD_OF_EACH } from './addressRows.js'
import { waitingFor } from './waitingFor.js'

/** An address in `--json`; times are ISO 8601 in UTC. */
export interface AddressView {
  /** Number of the address, by which lists go on. */
  readonly addressId: string
  readonly chainId: number
  readonly address: string
  readonly type: 'open' | 'strict'
  readonly currency: Omit<ShownMoney, 'amount'>
  /** Where its route leads; null where the quote that gave it is not kept any more. */
  readonly destination: Omit<ShownMoney, 'amount'> | null
  readonly requestId: string
  readonly orderId: string
  readonly integratorId: string | null
  readonly createdAt: string
  /** Until when blocks are searched for it; it is looked at ever more rarely afterwards. */
  readonly liveUntil: string
  readonly places: readonly PlaceView[]
}

/** A chain on which it is looked at. */
export interface PlaceView {
  readonly chainId: number
  /** What lies there by the books. */
  readonly booked: readonly ShownMoney[]
  /** What the last look found; null before the first. */
  readonly found: readonly ShownMoney[] | null
  readonly foundAt: string | null
  readonly nextLookAt: string
  /** It is looked at again and again until something is found. */
  readonly expected: boolean
  /** The next look sweeps what it finds, whatever it is worth. */
  readonly forced: boolean
  /** Why what lies there is not swept. */
  readonly trouble: string | null
}

/** One address with all that happened to it. */
export interface AddressDetails extends AddressView {
  readonly depositor: string
  readonly refundTo: string | null
  readonly recoveryAddress: string | null
  /** What it waits for, in plain words. */
  readonly waitsFor: readonly string[]
  /** What came, what left it for the depository, what was not there after all. */
  readonly books: readonly {
    readonly currency: ShownMoney
    readonly arrived: string
    readonly swept: string
    readonly gone: string
  }[]
  readonly arrivals: readonly ArrivalView[]
  readonly sweeps: readonly SweepView[]
  readonly deposits: readonly SweptDepositView[]
  readonly requests: readonly {
    readonly requestId: string
    readonly status: string
    readonly failReason: string | null
    readonly refundFailReason: string | null
    readonly nextAction: string | null
  }[]
  /** There is more of arrivals, sweeps, deposits or requests than the newest 100 of each. */
  readonly more: boolean
}

export interface ArrivalView {
  readonly chainId: number
  readonly txId: string
  readonly position: number
  readonly state: string
  readonly money: ShownMoney
  readonly sender: string | null
  readonly height: string | null
  readonly seenAt: string
  readonly depositId: string | null
}

export interface SweepView {
  readonly payoutId: string
  readonly chainId: number
  readonly state: string
  readonly money: ShownMoney
  /** All that it takes along. */
  readonly currencies: readonly string[]
  readonly createdAt: string
  readonly height: string | null
  readonly trouble: string | null
  readonly details: string | null
  readonly transactions: readonly { readonly txId: string; readonly kind: string; readonly state: string }[]
}

export interface SweptDepositView {
  readonly depositId: string
  readonly chainId: number
  readonly txId: string
  readonly money: ShownMoney
  readonly state: string
  readonly outcome: string | null
  readonly parkedReason: string | null
  readonly requestId: string | null
}

const iso = (at: number): string => new Date(at).toISOString()

const named = (currencies: CurrencyRegistry, at: { readonly chainId: number; readonly currency: string }) => {
  const { amount: _, ...rest } = shown(currencies, { ...at, amount: 0n })
  return rest
}

export const toAddressView = (currencies: CurrencyRegistry, row: AddressRow): AddressView => ({
  addressId: row.id,
  chainId: Number(row.chain_id),
  address: row.address,
  type: row.type,
  currency: named(currencies, { chainId: Number(row.chain_id), currency: row.currency }),
  destination: row.terms === null ? null : named(currencies, parseTerms(row.terms).destination),
  requestId: row.request_id,
  orderId: row.order_id,
  integratorId: row.integrator_id,
  createdAt: iso(row.created_at),
  liveUntil: iso(row.live_until),
  places: row.places.map((place) => toPlaceView(currencies, place)),
})

const toPlaceView = (currencies: CurrencyRegistry, place: PlaceRow): PlaceView => {
  const chainId = Number(place.chain_id)
  const money = ([currency, amount]: readonly [string, string]): ShownMoney =>
    shown(currencies, { chainId, currency, amount: BigInt(amount) })
  return {
    chainId,
    booked: place.books.filter(({ held }) => held !== '0').map(({ currency, held }) => money([currency, held])),
    found: place.found === null ? null : Object.entries(place.found).map(money),
    foundAt: place.found_at === null ? null : iso(place.found_at),
    nextLookAt: iso(place.next_look_at),
    expected: place.expected,
    forced: place.forced,
    trouble: place.trouble,
  }
}

/** One address of those whose history was read. */
export const toAddressDetails = (
  currencies: CurrencyRegistry,
  row: AddressRow,
  history: AddressHistory,
  now: number,
): AddressDetails => {
  const own = ofAddress(history, row.id)
  const money = (item: { chain_id: string; currency: string; amount: string }): ShownMoney =>
    shown(currencies, { chainId: Number(item.chain_id), currency: item.currency, amount: BigInt(item.amount) })
  return {
    ...toAddressView(currencies, row),
    depositor: row.depositor,
    refundTo: row.refund_to,
    recoveryAddress: row.recovery_address,
    waitsFor: waitingFor(row, own, now),
    books: row.places.flatMap(({ chain_id, books }) =>
      books.map(({ currency, arrived, swept, gone, held }) => ({
        currency: money({ chain_id, currency, amount: held }),
        arrived,
        swept,
        gone,
      })),
    ),
    arrivals: own.arrivals.slice(0, TOLD_OF_EACH).map((item) => ({
      chainId: Number(item.chain_id),
      txId: item.tx_id,
      position: item.position,
      state: item.state,
      money: money(item),
      sender: item.sender,
      height: item.height,
      seenAt: iso(item.created_at),
      depositId: item.taken_by,
    })),
    sweeps: own.sweeps.slice(0, TOLD_OF_EACH).map((item) => ({
      payoutId: item.id,
      chainId: Number(item.chain_id),
      state: item.state,
      money: money(item),
      currencies: item.currencies,
      createdAt: iso(item.created_at),
      height: item.height,
      trouble: item.trouble,
      details: item.details,
      transactions: item.attempts.map(({ tx_id, kind, state }) => ({ txId: tx_id, kind, state })),
    })),
    deposits: own.deposits.slice(0, TOLD_OF_EACH).map((item) => ({
      depositId: item.id,
      chainId: Number(item.chain_id),
      txId: item.tx_id,
      money: money(item),
      state: item.state,
      outcome: item.outcome,
      parkedReason: item.parked_reason,
      requestId: item.request_id,
    })),
    requests: own.requests.slice(0, TOLD_OF_EACH).map((item) => ({
      requestId: item.id,
      status: item.status,
      failReason: item.fail_reason,
      refundFailReason: item.refund_fail_reason,
      nextAction: item.action,
    })),
    more: Object.values(own).some((items) => items.length > TOLD_OF_EACH),
  }
}

const ofAddress = (history: AddressHistory, id: string): AddressHistory => ({
  arrivals: history.arrivals.filter(({ address_id }) => address_id === id),
  sweeps: history.sweeps.filter(({ address_id }) => address_id === id),
  deposits: history.deposits.filter(({ address_id }) => address_id === id),
  requests: history.requests.filter(({ address_id }) => address_id === id),
})
