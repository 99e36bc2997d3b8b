import { type CurrencyRegistry, destinationText } from '@causeway/core'
import type { PaidOrder, ParkedDeposit } from '@causeway/core/money-path'
import { labelled } from '../text/layout.js'
import { moneyText, type ShownMoney, shown } from '../text/moneyText.js'
import { instant } from '../text/timeText.js'

/** A parked deposit in `--json`. */
export interface ParkedView {
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
  /** Why: the reason it belongs to no request, or that of the request's failure, or what a fill did not need. */
  readonly reason: string
  readonly requestId: string | null
  readonly requestStatus: string | null
  readonly refundTo: string | null
  readonly recoveryAddress: string | null
  /** What paid its order already, in a time that this database forgot; it is not paid back while there is one. */
  readonly paidBy: readonly PaidView[]
}

export interface PaidView {
  readonly txId: string
  readonly chainId: number
  readonly paid: ShownMoney
  readonly recipient: string
}

const reasonOf = ({ parkedReason, request }: ParkedDeposit): string => {
  if (parkedReason !== null) return parkedReason
  if (request?.status !== 'failure') return 'excess of a fill that is not worth its gas'
  return [request.failReason, request.refundFailReason].filter((reason) => reason !== null).join(', ')
}

export const toView = (currencies: CurrencyRegistry, deposit: ParkedDeposit): ParkedView => ({
  depositId: deposit.id,
  chainId: deposit.chainId,
  txId: deposit.txId,
  position: deposit.position,
  state: deposit.state,
  depositor: deposit.depositor,
  orderId: deposit.orderId,
  deposited: shown(currencies, deposit),
  parked: shown(currencies, { ...deposit, amount: deposit.parked }),
  seenAt: new Date(deposit.seenAt).toISOString(),
  reason: reasonOf(deposit),
  requestId: deposit.request?.id ?? null,
  requestStatus: deposit.request?.status ?? null,
  refundTo: deposit.request?.refundTo ?? null,
  recoveryAddress: deposit.request?.recoveryAddress ?? null,
  paidBy: deposit.paid.map((paid) => toPaidView(currencies, paid)),
})

export const toPaidView = (currencies: CurrencyRegistry, paid: PaidOrder): PaidView => ({
  txId: paid.txId,
  chainId: paid.chainId,
  paid: shown(currencies, paid),
  recipient: destinationText(paid.recipient),
})

/** `0.2 ETH on lagoon to 0x..., transaction 0x...` */
export const paidText = ({ txId, chainId, paid, recipient }: PaidView, chainName: (id: number) => string): string =>
  `${moneyText(paid)} on ${chainName(chainId)} to ${recipient}, transaction ${txId}`

const paidLines = (view: ParkedView, chainName: (id: number) => string): string[] =>
  view.paidBy.length === 0
    ? []
    : [
        ...view.paidBy.flatMap((paid) => labelled('PAID BEFORE', paidText(paid, chainName))),
        ...labelled('close', `causeway parked close ${view.depositId} --paid-by <transaction>; it is not paid again`),
      ]

/** One deposit for people. */
export const parkedText = (view: ParkedView, chainName: (id: number) => string): string[] => [
  `DEPOSIT ${view.depositId} on ${chainName(view.chainId)}`,
  ...labelled('parked', `${moneyText(view.parked)} of ${moneyText(view.deposited)}: ${view.reason}`),
  ...labelled('transaction', `${view.txId}${view.position === 0 ? '' : `, its deposit ${view.position}`}`),
  ...labelled('seen', `${instant(Date.parse(view.seenAt))}, ${view.state}`),
  ...labelled('from', view.depositor),
  ...labelled('order id', view.orderId ?? 'none'),
  ...(view.requestId === null ? [] : labelled('request', `${view.requestId} ${view.requestStatus}`)),
  ...(view.refundTo === null ? [] : labelled('refund to', view.refundTo)),
  ...(view.recoveryAddress === null ? [] : labelled('recovery', view.recoveryAddress)),
  ...paidLines(view, chainName),
]
