import { labelled } from '../text/layout.js'
import { moneyText, type ShownMoney } from '../text/moneyText.js'
import { instant, span } from '../text/timeText.js'
import type { AddressDetails, AddressView, PlaceView } from './addressView.js'

type ChainName = (id: number) => string

const time = (text: string): string => instant(Date.parse(text))
const symbolOf = (currency: Omit<ShownMoney, 'amount'>): string => currency.symbol ?? currency.currency
const sum = (amounts: readonly ShownMoney[]): string => amounts.map(moneyText).join(', ') || 'nothing'

const routeText = ({ chainId, currency, destination }: AddressView, chainName: ChainName): string => {
  const to =
    destination === null
      ? 'its quote is not kept any more'
      : `${symbolOf(destination)} on ${chainName(destination.chainId)}`
  return `${symbolOf(currency)} on ${chainName(chainId)} -> ${to}`
}

const placeText = (place: PlaceView, chainName: ChainName): string[] => {
  const looked = place.foundAt === null ? 'never looked at' : `${sum(place.found ?? [])} found ${time(place.foundAt)}`
  const order = place.forced ? ', sweeps whatever it finds' : place.expected ? ', something is expected' : ''
  return [
    ...labelled(`on ${chainName(place.chainId)}`, `${sum(place.booked)} by the books, ${looked}`),
    ...labelled('', `next look ${time(place.nextLookAt)}${order}`),
    ...(place.trouble === null ? [] : labelled('NOT SWEPT', place.trouble)),
  ]
}

/** One address of a list, for people. */
export const addressText = (view: AddressView, chainName: ChainName, now: number): string[] => [
  `ADDRESS ${view.address} on ${chainName(view.chainId)} (${view.addressId})`,
  ...labelled('route', `${view.type}, ${routeText(view, chainName)}`),
  ...labelled('request', `${view.requestId}${view.integratorId === null ? '' : ` of ${view.integratorId}`}`),
  ...labelled(
    'given',
    `${span(Math.max(0, now - Date.parse(view.createdAt)))} ago, blocks are searched until ${time(view.liveUntil)}`,
  ),
  ...view.places.flatMap((place) => placeText(place, chainName)),
]

/** One address with all that happened to it. */
export const addressDetailsText = (view: AddressDetails, chainName: ChainName, now: number): string[] => [
  ...addressText(view, chainName, now),
  ...view.waitsFor.flatMap((text) => labelled('waits for', text)),
  ...labelled('order', view.orderId),
  ...labelled('credits', view.depositor),
  ...labelled('refund to', view.refundTo ?? 'nobody: an operator has to decide'),
  ...(view.recoveryAddress === null ? [] : labelled('recovery', view.recoveryAddress)),
  ...view.books.flatMap(({ currency, arrived, swept, gone }) =>
    labelled(
      'books',
      `${moneyText({ ...currency, amount: arrived })} came, ${moneyText({ ...currency, amount: swept })} swept${gone === '0' ? '' : `, ${moneyText({ ...currency, amount: gone })} not there after all`}, on ${chainName(currency.chainId)}`,
    ),
  ),
  ...view.arrivals.flatMap((item) => [
    ...labelled(
      'payment',
      `${moneyText(item.money)} on ${chainName(item.chainId)}, ${item.state}${item.height === null ? '' : ` in block ${item.height}`}, seen ${time(item.seenAt)}`,
    ),
    ...labelled('', item.txId),
    ...labelled(
      '',
      `from ${item.sender ?? 'several or unknown'}, ${item.depositId === null ? 'not in a deposit yet' : `in deposit ${item.depositId}`}`,
    ),
  ]),
  ...view.sweeps.flatMap((item) => [
    ...labelled(
      'sweep',
      `payout ${item.payoutId}: ${moneyText(item.money)} on ${chainName(item.chainId)}, ${item.state}${item.height === null ? '' : ` in block ${item.height}`}`,
    ),
    ...[item.trouble, item.details].flatMap((text) => (text === null ? [] : labelled('', text))),
    ...item.transactions.flatMap(({ txId, kind, state }) => labelled('', `${txId} ${kind}, ${state}`)),
  ]),
  ...view.deposits.flatMap((item) => [
    ...labelled(
      'deposit',
      `${item.depositId}: ${moneyText(item.money)} on ${chainName(item.chainId)}, ${item.state}, decided: ${item.outcome ?? 'not yet'}${item.parkedReason === null ? '' : `, parked: ${item.parkedReason}`}`,
    ),
    ...labelled('', item.txId),
  ]),
  ...view.requests.flatMap(({ requestId, status, failReason, refundFailReason, nextAction }) => {
    const why = [failReason, refundFailReason].filter((reason) => reason !== null)
    const next = nextAction === null ? [] : [`next: ${nextAction}`]
    return labelled('made of it', `request ${requestId} ${[status, ...why, ...next].join(', ')}`)
  }),
  ...(view.more ? ['  The newest of each are told; there is more.'] : []),
]
