import type { Delegation, Payout } from '../../chain/laneAdapter.js'
import type { SignedPermit } from '../../chain/origin/signedDeposits.js'
import type { FailReason } from '../../errors/failReason.js'
import type { Hex } from '../../money/hex.js'

/** Who bears the network fee of a transaction that was sent for a user: its route, a sponsor's balance, or we. */
export type OriginBearer =
  /** `charged`: native smallest unit; the operator loses what it takes beyond. Absent: all that it takes. */
  | { readonly by: 'route'; readonly charged?: string }
  | {
      readonly by: 'sponsor'
      readonly holder: string
      readonly chainId: number
      readonly currency: string
      readonly amount: string
    }
  | { readonly by: 'loss'; readonly usd: string }

/** What a payout with the purpose `origin` sends, as JSON; amounts as decimal text. */
export type PayoutOrigin = {
  readonly borne: OriginBearer
  /** Why the last try was refused, when it may not be the last word: a node may be behind. */
  readonly refused?: { readonly reason: FailReason; readonly details: string }
} & (
  | {
      readonly kind: 'permit'
      readonly permit: StoredPermit
      /** Absent: it was accepted when the payout key sent permits. */
      readonly from?: 'sender'
    }
  | {
      readonly kind: 'call'
      readonly call: { readonly to: string; readonly data: Hex; readonly value: string }
      readonly delegations?: readonly Delegation[]
      /** The request ends with it: nothing is deposited. */
      readonly alone?: true
    }
)

/** A signed permit as JSON. */
export interface StoredPermit extends Omit<SignedPermit, 'terms'> {
  readonly terms: Omit<SignedPermit['terms'], 'money'> & {
    readonly money: { readonly currency: string; readonly amount: string }
  }
}

export const storedPermit = ({ terms, ...permit }: SignedPermit): StoredPermit => ({
  ...permit,
  terms: { ...terms, money: { ...terms.money, amount: terms.money.amount.toString() } },
})

const readPermit = ({ terms, ...permit }: StoredPermit): SignedPermit => ({
  ...permit,
  terms: { ...terms, money: { ...terms.money, amount: BigInt(terms.money.amount) } },
})

/** The parts of a payment that only origin transactions have. */
export const originParts = (origin: PayoutOrigin): Pick<Payout, 'permit' | 'call' | 'delegations'> =>
  origin.kind === 'permit'
    ? { permit: readPermit(origin.permit) }
    : {
        call: { ...origin.call, value: BigInt(origin.call.value) },
        ...(origin.delegations === undefined ? {} : { delegations: origin.delegations }),
      }
