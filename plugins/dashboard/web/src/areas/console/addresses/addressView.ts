import type { ShownCurrency, ShownMoney } from '../parts/money/shownMoney.js'

/** A chain on which an address is looked at. */
export interface PlaceView {
  readonly chainId: number
  readonly booked: readonly ShownMoney[]
  readonly found: readonly ShownMoney[] | null
  readonly foundAt: string | null
  readonly nextLookAt: string
  readonly expected: boolean
  readonly forced: boolean
  readonly trouble: string | null
}

/** What is read of `causeway deposit-addresses list --json`. */
export interface AddressView {
  readonly addressId: string
  readonly chainId: number
  readonly address: string
  readonly type: string
  readonly currency: ShownCurrency
  readonly destination: ShownCurrency | null
  readonly requestId: string
  readonly orderId: string
  readonly integratorId: string | null
  readonly createdAt: string
  readonly liveUntil: string
  readonly places: readonly PlaceView[]
}

export interface ArrivalView {
  readonly chainId: number
  readonly txId: string
  readonly position: number
  readonly state: string
  readonly money: ShownMoney
  readonly sender: string | null
  readonly seenAt: string
  readonly depositId: string | null
}

export interface SweepView {
  readonly payoutId: string
  readonly chainId: number
  readonly state: string
  readonly money: ShownMoney
  readonly createdAt: string
  readonly trouble: string | null
  readonly details: string | null
  readonly transactions: readonly { readonly txId: string; readonly kind: string; readonly state: string }[]
}

export interface SweptDeposit {
  readonly depositId: string
  readonly chainId: number
  readonly txId: string
  readonly money: ShownMoney
  readonly state: string
  readonly outcome: string | null
  readonly parkedReason: string | null
}

/** What is read of `causeway deposit-addresses show --json`. */
export interface AddressDetails extends AddressView {
  readonly depositor: string
  readonly refundTo: string | null
  readonly recoveryAddress: string | null
  readonly waitsFor: readonly string[]
  readonly arrivals: readonly ArrivalView[]
  readonly sweeps: readonly SweepView[]
  readonly deposits: readonly SweptDeposit[]
  readonly requests: readonly {
    readonly requestId: string
    readonly status: string
    readonly failReason: string | null
    readonly refundFailReason: string | null
  }[]
  readonly more: boolean
}

/** What lies there, by the books where they know of it, else by the last look. */
export const liesAt = ({ places }: AddressView): readonly ShownMoney[] =>
  places.flatMap(({ booked, found }) =>
    booked.length > 0 ? booked : (found ?? []).filter(({ amount }) => amount !== '0'),
  )
