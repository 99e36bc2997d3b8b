import { formatAmount } from '@causeway/core'
import { labelled } from '../text/layout.js'
import type { ChainInventory, CurrencyInventory, InventoryReport } from './inventoryReport.js'

/** The report for people, 100 columns at most. */
export const inventoryText = (report: InventoryReport): string[] =>
  report.chains.flatMap((chain, at) => [...(at === 0 ? [] : ['']), ...chainText(chain)])

const chainText = (chain: ChainInventory): string[] => [
  `${chain.slug} (chain ${chain.chainId})`,
  ...labelled('wallet', chain.wallet),
  ...labelled('depository', chain.depository),
  ...labelled(
    'read',
    chain.reachable ? `at block ${chain.height}` : `NOT REACHABLE: ${chain.why}; what was seen last counts`,
  ),
  ...chain.currencies.flatMap(currencyText),
]

const currencyText = (item: CurrencyInventory): string[] => {
  const { symbol, decimals, currency } = item.currency
  const money = (amount: string): string => (decimals === null ? amount : formatAmount(BigInt(amount), decimals))
  const off = (difference: string | null, explanation: string | null, remedy: string): string =>
    difference === null || difference === '0' ? '' : `, DIFFERENCE ${money(difference)} (${explanation ?? remedy})`
  const dollars = item.availableUsd === null ? 'no price' : `$${item.availableUsd}`
  return [
    `  ${symbol ?? 'unknown currency'} ${currency}`,
    ...labelled(
      'wallet',
      `${item.onChain === null ? 'unknown' : money(item.onChain)} on the chain, ${money(item.booked)} booked${off(item.difference, item.explanation, 'not booked: see causeway inventory topup')}`,
      4,
    ),
    ...labelled(
      'promised',
      `${money(item.unpaid)} unpaid payouts, ${money(item.owedFills)} owed fills, ${money(item.holds)} held by quotes`,
      4,
    ),
    ...labelled('available', `${money(item.available)} (${dollars})`, 4),
    ...labelled(
      'depository',
      `${item.depositoryOnChain === null ? 'unknown' : money(item.depositoryOnChain)} on the chain, ${money(item.depositoryBooked)} booked, ${money(item.withdrawable)} ours to withdraw${off(item.depositoryDifference, item.depositoryExplanation, 'not explained: see causeway ledger check')}`,
      4,
    ),
  ]
}
