import { type CurrencyRegistry, formatAmount } from '@causeway/core'
import type { LaneReport, UnmatchedTransaction } from './laneReport.js'

const HEAD = [
  'chain',
  'signer',
  'state',
  'next',
  'live',
  'not final',
  'oldest unpaid',
  'spent this hour / limit',
] as const

/** `0.2 ETH`, or units of an address nobody configured. */
export const moneyText = (
  currencies: CurrencyRegistry,
  { chainId, currency, amount }: { readonly chainId: number; readonly currency: string; readonly amount: bigint },
): string => {
  const native = currencies.native(chainId)
  const known = currencies.find(chainId, currency) ?? (native?.address === currency ? native : undefined)
  if (known === undefined) return `${amount} units of ${currency}`
  return `${formatAmount(amount, known.decimals).replace(/\.0$/, '')} ${known.symbol}`
}

/** How long something waits already: `12 s`, `3 min`, `5 h`. */
const waited = (since: number | null, now: number): string => {
  if (since === null) return '-'
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`
}

const spendingText = (lane: LaneReport, currencies: CurrencyRegistry): string => {
  const parts = lane.spending.map(({ currency, spent, limit }) => {
    const money = (amount: bigint) => moneyText(currencies, { chainId: lane.chainId, currency, amount })
    return limit === null ? money(spent) : `${money(spent)} / ${money(limit)}`
  })
  return parts.length === 0 ? '-' : parts.join(', ')
}

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = HEAD.map((_title, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The lanes as a table, each with what keeps it from paying below. */
export const lanesText = (lanes: readonly LaneReport[], currencies: CurrencyRegistry, now: number): string[] => {
  const lines = table([
    HEAD,
    ...lanes.map((lane) => [
      lane.chain,
      lane.signer,
      lane.state,
      lane.position ?? '-',
      String(lane.liveAttempts),
      String(lane.notFinal),
      waited(lane.oldestUnpaidAt, now),
      spendingText(lane, currencies),
    ]),
  ])
  return [...lines.slice(0, 1), ...lanes.flatMap((lane, at) => [lines[at + 1] ?? '', ...troubles(lane, currencies)])]
}

const troubles = (lane: LaneReport, currencies: CurrencyRegistry): string[] => {
  if (lane.state === 'no-key' && lane.former)
    return [
      `    a payout key of before: ${formerText(lane)}`,
      ...(lane.named
        ? []
        : ['    name it in formerSolvers of the chain: a backup that does not know it finds it then']),
    ]
  if (lane.state === 'no-key') return ['    no running process works it: start one with the role solver and its key']
  if (lane.state === 'limited') return [`    ${lane.waitingForLimit} payout(s) wait for the hourly limit`]
  if (lane.state === 'settling') return [`    ${lane.reason ?? 'the database failed over'}; it opens by itself`]
  if (lane.state !== 'quarantined' && lane.unmatched.length === 0) return []
  return [
    `    ${lane.reason ?? 'orders were paid by transactions that this database does not know'}`,
    ...lane.unmatched.slice(0, 5).map((item) => `    ${item.txId}  ${moneyText(currencies, { ...lane, ...item })}`),
    ...(lane.unmatched.length > 5 ? [`    and ${lane.unmatched.length - 5} more`] : []),
    `    causeway lanes inspect ${lane.chain} ${lane.signer}`,
  ]
}

/** What becomes of a lane without its key: what it sent is followed by the process that has the present one. */
const formerText = ({ oldestUnpaidAt, liveAttempts, notFinal }: LaneReport): string => {
  if (liveAttempts > 0)
    return `${liveAttempts} payout(s) that it signed are in no block yet; the solver sends and follows them`
  if (oldestUnpaidAt !== null)
    return 'a payout waits for its signature; start a solver that has this key, until it is paid'
  if (notFinal > 0) return `${notFinal} payout(s) are not final yet; the solver follows them`
  return 'nothing of it is open, and nothing needs it'
}

/** Everything known of what keeps a lane shut, or payments of it back. */
export const inspectText = (lane: LaneReport, currencies: CurrencyRegistry): string[] => [
  `${lane.chain} ${lane.signer}: ${lane.state}`,
  ...(lane.reason === null ? [] : [`  ${lane.reason}`]),
  `  journal up to block ${lane.height ?? '-'}, goes on at ${lane.position ?? '-'}`,
  ...(lane.unmatched.length === 0 ? ['  no unmatched transaction'] : []),
  ...lane.unmatched.flatMap((item) => unmatchedText(lane, item, currencies)),
  ...(lane.state === 'quarantined' || lane.unmatched.some(({ shuts }) => shuts) ? advice(lane) : []),
]

const unmatchedText = (lane: LaneReport, item: UnmatchedTransaction, currencies: CurrencyRegistry): string[] => [
  `  ${item.txId}`,
  `    ${item.status}${item.blockHeight === null ? '' : ` in block ${item.blockHeight}`}, found ${new Date(item.foundAt).toISOString()}`,
  `    ${item.purpose ?? 'fill or refund'} of ${moneyText(currencies, { ...lane, ...item })} to ${item.recipient}`,
  item.shuts
    ? `    order ${item.orderId}: no quote and no request of this database has it`
    : `    order ${item.orderId}: another payment that it may be waits here and is held back`,
  ...(PAYS.has(item.purpose ?? 'fill')
    ? item.deposits.map(
        (id) => `    may have paid for deposit ${id}: causeway parked close ${id} --paid-by ${item.txId}`,
      )
    : []),
]

/** Purposes that pay for a deposit; what takes one out of the depository is matched by itself once the deposit is closed. */
const PAYS: ReadonlySet<string> = new Set(['fill', 'refund', 'excess'])

const advice = (lane: LaneReport): string[] =>
  lane.unmatched.some(({ shuts }) => shuts) ? adviceOnTransactions(lane) : adviceOnGap(lane)

const releaseText = ({ chain, signer }: LaneReport, which: string): string =>
  `    causeway lanes release ${chain} ${signer} ${which} --reason "..."`

/** No transaction is listed: the reason says what is not known. */
const adviceOnGap = (lane: LaneReport): string[] => [
  '  If another deployment uses this key, stop it first, or give this one a fresh key. Look at the address in an explorer. Once no payment of',
  '  it is in doubt, open the lane:',
  releaseText(lane, '--all'),
]

const adviceOnTransactions = (lane: LaneReport): string[] => [
  ...(!lane.former && lane.unmatched.some(({ purpose }) => purpose === 'send')
    ? [
        '  An order over the wallet moved money of this key. If that was to the next payout key, an older database and the older key were put',
        '  back together: name the next key in the configuration, and release nothing here while this one is named.',
      ]
    : []),
  '  If another deployment uses this key, stop it first. If an older database was put back, these orders were paid since: close',
  '  the deposit of each as above, or all that are proven paid with causeway parked close --all-paid. The lane opens by itself when all',
  '  are closed. Deposits appear as the chain is read again.',
  '  Releasing opens the lane for other work and changes nothing for these orders: their deposits stay unpaid until they are closed.',
  '  What belongs to no deposit, once you know what it was, by itself; --all goes on holding back what each of them may have paid:',
  releaseText(lane, '--tx <hash>'),
]
