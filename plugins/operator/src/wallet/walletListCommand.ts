import {
  listWalletOrders,
  readWalletOrder,
  type ShownWalletOrder,
  WALLET_OFF_TEXT,
  walletOrderId,
} from '@causeway/core/money-path'
import { ChainRegistry, type Command } from '@causeway/core/plugin'
import { type ChainInventory, readInventory } from '../inventory/inventoryReport.js'
import { findChain } from '../inventory/topupCommand.js'
import { labelled } from '../text/layout.js'
import { moneyText, type ShownMoney, shown } from '../text/moneyText.js'
import type { WalletDeps } from './walletDeps.js'

const MOST_ORDERS = 50

/** An order in the answer of `causeway wallet list --json`. */
export interface ListedOrder {
  readonly id: string
  readonly action: 'send' | 'approve' | null
  readonly money: ShownMoney | null
  readonly recipient: string | null
  readonly expires: string | null
  readonly createdAt: string
  readonly payoutId: string | null
  readonly state: string
  readonly why: string | null
  readonly txIds: readonly string[]
}

/** `causeway wallet list`. */
export const walletListCommand = (deps: WalletDeps): Command => ({
  name: 'wallet list',
  console: 'read',
  freshMs: 10_000,
  description: 'Payout wallets beside the books, what is free, orders over them, and who may be paid',
  options: [
    { flags: '--chain <chain>', description: 'Only this one, by slug or id' },
    { flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' },
  ],
  run: async ({ options, print }) => {
    const chain = typeof options.chain === 'string' ? findChain(deps, options.chain) : null
    const { chains, at } = await readInventory(chain === null ? deps : { ...deps, chains: new ChainRegistry([chain]) })
    const chainId = chain?.config.id ?? null
    const found = await listWalletOrders(deps.pool, { chainId, now: deps.clock.now(), limit: MOST_ORDERS })
    const orders = found.map((order) => listed(deps, order))
    const { operators } = deps.wallet
    const allowed = deps.wallet.allowed.filter((item) => chainId === null || item.chainId === chainId)
    if (options.json === true)
      return print(JSON.stringify({ schemaVersion: 1, at, operators, allowed, wallets: chains, orders }, null, 2))
    const lines = [
      ...chains.flatMap((item) => [...walletText(item), '']),
      ...(orders.length === 0 ? ['No orders.'] : ['Orders, newest first:', ...orders.flatMap(orderText)]),
      '',
      ...(operators.length === 0
        ? [WALLET_OFF_TEXT]
        : [`Operators: ${operators.join(', ')}`, ...allowedText(deps, allowed)]),
    ]
    for (const line of lines) print(line)
  },
})

/** What a changed text says is not shown: nobody signed it. */
const listed = (deps: WalletDeps, order: ShownWalletOrder): ListedOrder => {
  const read = walletOrderId(order.text) === order.id ? readWalletOrder(order.text) : null
  return {
    id: order.id,
    action: read?.action ?? null,
    money: read === null ? null : shown(deps.currencies, read),
    recipient: read?.recipient ?? null,
    expires: read === null ? null : new Date(read.expires * 1_000).toISOString(),
    createdAt: order.createdAt.toISOString(),
    payoutId: order.payoutId,
    state: stateOf(order),
    why: order.why,
    txIds: order.txIds,
  }
}

const stateOf = ({ state, payoutId }: ShownWalletOrder): string => {
  if (payoutId === null) return 'without payout'
  return state === 'dead' ? 'refused' : (state ?? 'unknown')
}

const walletText = (chain: ChainInventory): string[] => [
  `${chain.slug} (chain ${chain.chainId})`,
  ...labelled('wallet', chain.wallet),
  ...(chain.reachable ? [] : labelled('read', `NOT REACHABLE: ${chain.why} What was seen last counts.`)),
  ...chain.currencies.flatMap((item) => {
    const money = (amount: string): string => moneyText({ ...item.currency, amount })
    const held = item.onChain === null ? 'unknown' : money(item.onChain)
    return labelled(
      item.currency.symbol ?? 'unknown',
      `${held} on the chain, ${money(item.booked)} booked, ${money(item.available)} free`,
      4,
    )
  }),
]

const orderText = (order: ListedOrder): string[] => [
  `  ${order.id}`,
  ...labelled('order', whatText(order), 4),
  ...labelled('state', `${order.state}${order.why === null ? '' : `: ${order.why}`}`, 4),
  ...(order.txIds.length === 0 ? [] : labelled('sent as', order.txIds.join(', '), 4)),
]

const whatText = ({ action, money, recipient, expires, createdAt }: ListedOrder): string => {
  if (action === null || money === null) return `of ${createdAt}; nothing that was signed says what`
  const what = action === 'send' ? `send ${moneyText(money)} to` : `allow ${moneyText(money)} to`
  return `${what} ${recipient}, of ${createdAt}, good until ${expires}`
}

const allowedText = (deps: WalletDeps, allowed: WalletDeps['wallet']['allowed']): string[] =>
  allowed.length === 0
    ? ['Nobody is allowed to be paid (wallet.allowed).']
    : allowed.flatMap(({ chainId, address, currencies, perDay = [] }) => {
        const symbol = (currency: string): string => deps.currencies.find(chainId, currency)?.symbol ?? currency
        const of = currencies === undefined ? 'any currency' : currencies.map(symbol).join(', ')
        const limits = perDay.map(({ currency, amount }) => `${amount} ${symbol(currency)} a day`).join(', ')
        return labelled('allowed', `chain ${chainId} ${address}: ${of}${limits === '' ? '' : `, at most ${limits}`}`)
      })
