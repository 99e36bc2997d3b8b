import type { ShownMoney } from '../parts/money/shownMoney.js'

/** What is read of `causeway parked list --json` and `parked show --json`. */
export interface ParkedDeposit {
  readonly depositId: string
  readonly chainId: number
  readonly txId: string
  readonly position: number
  readonly state: string
  readonly depositor: string
  readonly orderId: string | null
  readonly deposited: ShownMoney
  readonly parked: ShownMoney
  readonly seenAt: string
  readonly reason: string
  readonly requestId: string | null
  readonly requestStatus: string | null
  readonly refundTo: string | null
  readonly recoveryAddress: string | null
  readonly paidBy: readonly {
    readonly txId: string
    readonly chainId: number
    readonly paid: ShownMoney
    readonly recipient: string
  }[]
}
