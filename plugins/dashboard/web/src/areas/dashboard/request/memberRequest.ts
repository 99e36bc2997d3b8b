export interface Money {
  readonly chainId: number
  readonly currency: string
  readonly symbol: string | null
  readonly decimals: number | null
  readonly amount: string
}

export interface Transaction {
  readonly txId: string
  readonly explorerUrl: string | null
  readonly state: string
  readonly sentAt: string | null
  readonly block: { readonly height: string; readonly hash: string } | null
}

export interface Relative {
  readonly requestId: string
  readonly status: string
}

export interface Deposit extends Transaction {
  readonly chainId: number
  readonly money: Money
  readonly depositor: string
}

export interface Payment {
  readonly purpose: string
  readonly createdAt: string
  readonly state: string
  readonly chainId: number
  readonly money: Money
  readonly recipient: string
  readonly failReason: string | null
  readonly transactions: readonly Transaction[]
}

export interface MoneySum extends Omit<Money, 'amount'> {
  readonly deposited: string
  readonly paid: string
  readonly fees: string
  readonly refunded: string
  readonly kept: string
  readonly open: string
}

export interface RequestEvent {
  readonly at: string
  readonly kind: string
  readonly text: string
  readonly cause: string | null
  readonly chainId: number | null
  readonly txId: string | null
  readonly explorerUrl: string | null
  readonly evidence: { readonly height: string; readonly hash: string | null; readonly depth: string | null } | null
}

export interface FeeLine extends Omit<Money, 'symbol' | 'decimals'> {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly quotedUsd: string
  readonly actualUsd: string | null
}

/** What of `GET /dashboard/api/requests/{id}` the page shows. */
export interface MemberRequest {
  readonly requestId: string
  readonly orderId: string
  readonly status: string
  readonly failReason: string | null
  /** Why it was not paid, where `failReason` says that an operator sent the money back. */
  readonly firstFailReason: string | null
  readonly refundFailReason: string | null
  readonly details: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly referrer: string | null
  readonly quote: {
    readonly tradeType: string
    readonly user: string
    readonly recipient: string
    readonly refundTo: string | null
    readonly in: Money
    readonly minimumIn: Money
    readonly out: Money
    readonly minimumOut: Money
    readonly sponsored: Money | null
    readonly priceUntil: string
    readonly orderDeadline: string
    readonly fillBy: string | null
  }
  readonly parent: Relative | null
  readonly children: readonly Relative[]
  readonly supersededBy: string | null
  readonly cameBy: { readonly address: string; readonly type: string; readonly transferTx: string | null } | null
  readonly deposits: readonly Deposit[]
  readonly payments: readonly Payment[]
  readonly sums: readonly MoneySum[]
  readonly fees: {
    readonly lines: readonly FeeLine[]
    readonly appFees: readonly {
      readonly recipient: string
      readonly bps: string
      readonly amount: string
      readonly amountUsd: string | null
    }[]
  } | null
  readonly timeline: readonly RequestEvent[]
  readonly problems: readonly string[]
  readonly next: readonly { readonly text: string; readonly at: string }[]
  readonly explanation?: unknown
}
