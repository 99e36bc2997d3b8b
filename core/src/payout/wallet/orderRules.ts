import type { ChainAdapter } from '../../chain/chainAdapter.js'
import { parseDestination, readDestination, sameDestination } from '../../chain/destination.js'
import type { CurrencyRegistry } from '../../money/currency/currency.js'
import { parseWholeUnits } from '../../money/wholeUnits.js'
import { largestPayable } from '../payable.js'
import { LONGEST_ORDER_SECONDS, type WalletOrder } from './walletOrder.js'
import type { AllowedRecipient, WalletPolicy } from './walletPolicy.js'

/** What an order is held against: all of it is of the process that signs, nothing of the database but its id. */
export interface OrderRules {
  readonly network: 'mainnet' | 'testnet'
  readonly database: string
  readonly chainId: number
  /** Account of the lane. */
  readonly wallet: string
  readonly adapter: Pick<
    ChainAdapter,
    'validateAddress' | 'capabilities' | 'sameAddress' | 'spenders' | 'normalizeCurrency' | 'payable'
  >
  readonly currencies: CurrencyRegistry
  readonly policy: WalletPolicy
  /** Unix milliseconds. */
  readonly now: number
}

/** Why an order is never signed; null where nothing stands against it. */
export const orderRefusal = (order: WalletOrder, rules: OrderRules): string | null => {
  if (order.network !== rules.network || order.database !== rules.database)
    return 'It was signed for another deployment.'
  if (order.chainId !== rules.chainId || order.wallet !== rules.wallet)
    return `It was signed for the wallet ${order.wallet} on chain ${order.chainId}.`
  const now = rules.now / 1_000
  if (now > order.expires) return `It has expired at ${new Date(order.expires * 1_000).toISOString()}.`
  if (order.expires > now + LONGEST_ORDER_SECONDS) return 'It is valid for longer than a day.'
  return order.action === 'approve' ? approveRefusal(order, rules) : sendRefusal(order, rules)
}

const approveRefusal = ({ recipient }: WalletOrder, { adapter }: OrderRules): string | null => {
  const { spenders = [] } = adapter
  if (spenders.some(({ address }) => address === recipient)) return null
  return `${recipient} is no contract of this chain's configuration that may take tokens.`
}

const sendRefusal = (order: WalletOrder, rules: OrderRules): string | null => {
  if (order.amount === 0n) return 'It sends nothing.'
  const payable = largestPayable(rules.adapter, order)
  if (payable !== order.amount)
    return `No payment of this chain carries just ${order.amount} units; the next below is ${payable}.`
  const allowed = allowedFor(order, rules)
  if (allowed.length === 0) return `${order.recipient} is not in wallet.allowed of the process that signs.`
  const most = dayLimit(order, rules)
  return most !== null && order.amount > most ? 'It is more than its recipient may be sent in a day.' : null
}

/** The entries of the configuration by which the recipient may have the currency. */
const allowedFor = (
  { recipient, currency }: WalletOrder,
  { policy, chainId, adapter }: OrderRules,
): readonly AllowedRecipient[] =>
  policy.allowed.filter((entry) => {
    if (entry.chainId !== chainId || !isSame(adapter, entry.address, recipient)) return false
    return entry.currencies?.some((item) => adapter.normalizeCurrency(item) === currency) ?? true
  })

const isSame = (adapter: OrderRules['adapter'], allowed: string, recipient: string): boolean => {
  const read = readDestination(adapter, allowed)
  return read.ok && sameDestination(adapter, read.destination, parseDestination(recipient))
}

/** Most of its currency that the recipient may be sent within a day, smallest unit; null: no limit. The least of several holds. */
export const dayLimit = (order: WalletOrder, rules: OrderRules): bigint | null => {
  const { adapter, currencies, chainId } = rules
  const decimals = currencies.find(chainId, order.currency)?.decimals
  const limits = allowedFor(order, rules)
    .flatMap(({ perDay = [] }) => perDay)
    .filter(({ currency }) => adapter.normalizeCurrency(currency) === order.currency)
    // An amount that cannot be read, or of a currency nobody knows the decimals of, allows nothing.
    .map(({ amount }) => (decimals === undefined ? 0n : (parseWholeUnits(amount, decimals) ?? 0n)))
  return limits.reduce<bigint | null>((least, limit) => (least === null || limit < least ? limit : least), null)
}
