import { labelled } from '../text/layout.js'
import { moneyText } from '../text/moneyText.js'
import type { ChainInventory, CurrencyInventory, InventoryReport, SenderInventory } from './inventoryReport.js'

/** The report for people, 100 columns at most. */
export const inventoryText = (report: InventoryReport): string[] => [
  ...report.chains.flatMap((chain, at) => [...(at === 0 ? [] : ['']), ...chainText(chain)]),
  ...(report.moves.length === 0 ? [] : ['', ...report.moves.flatMap(({ says }) => labelled('SHORT', says))]),
]

const chainText = (chain: ChainInventory): string[] => [
  `${chain.slug} (chain ${chain.chainId})`,
  ...labelled('wallet', chain.wallet),
  ...labelled('depository', chain.depository),
  ...labelled(
    'read',
    chain.reachable ? `at block ${chain.height}` : `NOT REACHABLE: ${chain.why} What was seen last counts.`,
  ),
  ...(chain.senders === null ? [] : senderText(chain.senders)),
  ...chain.currencies.flatMap(currencyText),
]

const senderText = ({ currency, onChain, booked, difference, explanation }: SenderInventory): string[] => {
  const money = (amount: string): string => moneyText({ ...currency, amount })
  return [
    ...labelled(
      'senders',
      `${onChain === null ? 'unknown' : money(onChain)} on the chain, ${money(booked)} booked: gas of the keys that send for users`,
    ),
    ...(difference === null || difference === '0'
      ? []
      : labelled(
          'DIFFERENCE',
          `${money(difference)}: ${explanation ?? 'not booked; if you moved it: causeway inventory topup --sender'}`,
        )),
  ]
}

const LONG_COVER = 999

const coverText = (days: string | null): string => {
  if (days === null) return ''
  return Number(days) > LONG_COVER ? `, lasts more than ${LONG_COVER} days` : `, lasts ${days} days`
}

/** Missing money may be stolen, which is said last and plainly. */
const walletRemedy = (difference: string | null): string =>
  difference?.startsWith('-')
    ? 'MISSING and not booked; if you moved it: causeway inventory topup --out; if the wallet of a former key still holds it: causeway inventory correct. Otherwise somebody else may have the payout key: find the transactions of the wallet in an explorer, now, and stop the hosts of role solver'
    : 'not booked; if you put it in: causeway inventory topup'

const currencyText = (item: CurrencyInventory): string[] => {
  const money = (amount: string): string => moneyText({ ...item.currency, amount })
  const onChain = (amount: string | null): string => (amount === null ? 'unknown' : money(amount))
  const promised = [
    { amount: item.unpaid, what: 'in unpaid payouts' },
    { amount: item.owedFills, what: 'for owed fills' },
    { amount: item.holds, what: 'held by quotes' },
    { amount: item.reserved, what: 'kept by the chain' },
  ].filter(({ amount }) => amount !== '0')
  const difference = (amount: string | null, explanation: string | null, remedy: string): string[] =>
    amount === null || amount === '0' ? [] : labelled('DIFFERENCE', `${money(amount)}: ${explanation ?? remedy}`, 4)
  return [
    `  ${item.currency.symbol ?? 'unknown currency'} ${item.currency.currency}`,
    ...labelled('wallet', `${onChain(item.onChain)} on the chain, ${money(item.booked)} booked`, 4),
    ...difference(item.difference, item.explanation, walletRemedy(item.difference)),
    ...labelled('promised', promised.map(({ amount, what }) => `${money(amount)} ${what}`).join(', ') || 'nothing', 4),
    ...labelled(
      'available',
      `${money(item.available)} (${item.availableUsd === null ? 'no price' : `$${item.availableUsd}`})${coverText(item.daysOfCover)}`,
      4,
    ),
    ...labelled(
      'depository',
      `${onChain(item.depositoryOnChain)} on the chain, ${money(item.depositoryBooked)} booked, ${money(item.withdrawable)} ours to withdraw`,
      4,
    ),
    ...(item.atAddresses === '0'
      ? []
      : labelled('addresses', `${money(item.atAddresses)} booked at addresses to pay to, not swept yet`, 4)),
    ...difference(item.depositoryDifference, item.depositoryExplanation, 'not explained; see causeway ledger check'),
  ]
}
