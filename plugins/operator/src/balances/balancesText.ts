import { indented, labelled } from '../text/layout.js'
import { moneyText } from '../text/moneyText.js'
import { instant } from '../text/timeText.js'
import type { CurrencyTotal, OwedReport } from './owedReport.js'
import type { ShownMovement, WalletBalance, WalletBalances } from './walletBalances.js'

type ChainName = (id: number) => string

const PARTS = [
  ['free', 'free'],
  ['earned', 'earned, not settled'],
  ['sponsored', 'set aside for decided fills'],
  ['collateral', 'set aside for fast fills'],
  ['claimed', 'on its way'],
  ['exposure', 'owed by the wallet for fast fills'],
] as const

/** `12.5 USDC free, 3 USDC earned, not settled`; what is 0 is left out. */
const partsText = (money: Omit<WalletBalance, 'reserved'>): string => {
  const parts = PARTS.filter(([part]) => money[part] !== '0')
  return parts.map(([part, says]) => `${moneyText({ ...money, amount: money[part] })} ${says}`).join('; ')
}

const balanceText = (balance: WalletBalance, chainName: ChainName): string[] => [
  ...labelled(`on ${chainName(balance.chainId)}`, partsText(balance)),
  ...(balance.reserved === '0'
    ? []
    : labelled('', `of what is free, quotes keep ${moneyText({ ...balance, amount: balance.reserved })}`)),
]

/** A wallet for people. */
export const walletText = ({ wallet, integrators, balances }: WalletBalances, chainName: ChainName): string[] => [
  `WALLET ${wallet}`,
  ...integrators.flatMap((id) => labelled('pays for', `integrator ${id}`)),
  ...balances.flatMap((balance) => balanceText(balance, chainName)),
  ...(balances.length === 0 ? labelled('balance', 'nothing is owed to it') : []),
]

/** The newest movements, one behind the other. */
export const movementsText = (movements: readonly ShownMovement[]): string[] => [
  ...(movements.length === 0 ? [] : ['  what moved last']),
  ...movements.flatMap(({ at, context, cause, event, requestId, changes }) => [
    ...indented(
      `${instant(Date.parse(at))} ${context}: ${changes.map((change) => `${change.account} ${change.amount.startsWith('-') ? '' : '+'}${moneyText(change)}`).join(', ')}`,
      4,
    ),
    ...indented(`${cause} ${event}${requestId === null ? '' : `, request ${requestId}`}`, 8),
  ]),
]

const totalText = (total: CurrencyTotal, chainName: ChainName): string[] => {
  const money = (amount: string) => moneyText({ ...total, amount })
  const held =
    total.held === null
      ? [`not known what is held: ${total.why ?? ''}`]
      : [`${money(total.held.wallet)} in the wallet, ${money(total.held.depository)} in the depository`]
  const short = total.held !== null && BigInt(total.held.wallet) < BigInt(total.owed)
  return [
    `OWED ${money(total.owed)} on ${chainName(total.chainId)}`,
    ...labelled('of it', partsText(total)),
    ...held.flatMap((text) => labelled('held', text)),
    ...(short ? labelled('SHORT', 'the wallet holds less than is owed: put more into it before it is claimed') : []),
  ]
}

/** All wallets for people. */
export const owedText = ({ wallets, more, totals }: OwedReport, chainName: ChainName): string[] => [
  ...(totals.length === 0
    ? ['Nothing is owed to any wallet.']
    : totals.flatMap((total) => totalText(total, chainName))),
  ...wallets.flatMap((wallet) => ['', ...walletText(wallet, chainName)]),
  ...(more ? ['', 'There are more wallets: raise --limit.'] : []),
  '',
  'What integrators without a wallet have coming is told by causeway ledger integrators.',
]
