import { type CurrencyRegistry, ServiceError } from '@causeway/core'
import type { Destination } from '@causeway/core/chain'
import {
  type Chain,
  type ChainRegistry,
  type CurrencyListing,
  type QuoteConditions,
  whyNotServed,
} from '@causeway/core/plugin'
import type { QuoteInput } from '../input/quoteInput.js'
import { operationOf } from './operation.js'
import { addressOnOrigin, canonicalUser, isUnconnected, resolveRecipient, resolveRefundTo } from './routeAddresses.js'
import { type AskedCurrency, askedCurrency, currencyOf, placesOf, type RouteEnd } from './routeCurrencies.js'

export type { RouteEnd } from './routeCurrencies.js'

/** A checked pair of ends with the addresses on each, in canonical form. */
export interface ResolvedRoute {
  readonly origin: RouteEnd
  readonly destination: RouteEnd
  /** On the origin chain. */
  readonly user: string
  /** On the destination chain. */
  readonly recipient: Destination
  /** On the origin chain; the user unless the body names another (wire.md H.2); null: no refund by itself. */
  readonly refundTo: Destination | null
  /** On the origin chain; null: the user pays for the deposit's transaction. */
  readonly feePayer: string | null
  /** Whether clients name the user or the recipient while no wallet is connected (wire.md 0.5): the quote is a price, without steps. */
  readonly placeholder: { readonly user: boolean; readonly recipient: boolean }
  /** Whether the solver holds the currency of each end; else it takes a swap. */
  readonly held: { readonly origin: boolean; readonly destination: boolean }
}

export interface RouteDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  listing(): CurrencyListing
}

const findChain = (chains: ChainRegistry, chainId: number): Chain => {
  const chain = chains.find(chainId)
  if (chain === undefined) {
    const vmTypes = chains.all().map(({ adapter }) => adapter.vmType)
    throw new ServiceError('UNSUPPORTED_CHAIN', whyNotServed(chainId, vmTypes))
  }
  chains.requireServed(chain)
  return chain
}

/** The two ends, and which of the addresses that are to be paid is a listed token; the list is asked once. */
const resolveEnds = async (input: QuoteInput, deps: RouteDeps) => {
  const from = findChain(deps.chains, input.originChainId)
  const to = findChain(deps.chains, input.destinationChainId)
  const paid = askedCurrency(deps.currencies, from, { field: 'originCurrency', text: input.originCurrency })
  const got = askedCurrency(deps.currencies, to, { field: 'destinationCurrency', text: input.destinationCurrency })
  const listed = await readListed(deps, [
    ...placesOf(deps.currencies, paid),
    ...placesOf(deps.currencies, got),
    ...payablePlaces(from, input.refundTo ?? input.user),
    ...payablePlaces(to, input.recipient ?? input.user),
  ])
  const [origin, destination] = await Promise.all([endOf(deps, paid, listed), endOf(deps, got, listed)])
  return { origin, destination, listed }
}

type Listed = Awaited<ReturnType<CurrencyListing['find']>>

const readListed = async ({ listing }: RouteDeps, places: Parameters<CurrencyListing['find']>[0]): Promise<Listed> =>
  places.length === 0 ? [] : listing().find(places)

/** Where an address would stand if it were a token. */
const payablePlaces = ({ adapter, config }: Chain, text: string | null) => {
  const address = text === null ? null : adapter.normalizeCurrency(text.split('?', 1)[0] ?? text)
  return address === null || address === adapter.native.address ? [] : [{ chainId: config.id, address }]
}

const endOf = async (deps: RouteDeps, asked: AskedCurrency, listed: Listed): Promise<RouteEnd> => {
  const { chain } = asked
  const native = deps.currencies.native(chain.config.id)
  if (native === undefined) throw new Error(`Chain ${chain.config.id} has no native currency in the registry`)
  return { chain, currency: await currencyOf(deps.currencies, asked, listed), native }
}

/** Somebody else who pays for the deposit's transaction, where the origin chain has such a thing (wire.md 1.2). */
const resolveFeePayer = ({ depositFeePayer }: QuoteInput, chain: Chain, user: string): string | null => {
  if (depositFeePayer === null) return null
  if (chain.adapter.capabilities.depositFeePayer !== true)
    throw new ServiceError('INVALID_REQUEST', `body.depositFeePayer is not supported on chain ${chain.config.id}`)
  const feePayer = addressOnOrigin(chain, 'depositFeePayer', depositFeePayer)
  if (!chain.adapter.sameAddress(feePayer, user)) return feePayer
  throw new ServiceError('INVALID_REQUEST', 'body.depositFeePayer is body.user; leave it out')
}

/** Calls are for chains that run them, on addresses that exist there (wire.md G.2). */
const checkCalls = ({ calls }: QuoteInput, { adapter, config }: Chain): void => {
  if (calls === null) return
  const { destinationCalls } = adapter.capabilities
  if (destinationCalls === 'not-configured') {
    throw new ServiceError(
      'ERC20_ROUTER_ADDRESS_NOT_FOUND',
      `No contract that runs calls is set up on chain ${config.id}`,
    )
  }
  if (!destinationCalls) {
    throw new ServiceError('UNSUPPORTED_EXECUTION_TYPE', `body.txs is not supported on chain ${config.id}`)
  }
  calls.calls.forEach(({ to }, at) => {
    const check = adapter.validateAddress(to)
    if (!check.ok) throw new ServiceError('INVALID_REQUEST', `body.txs[${at}].to is not an address: ${check.why}`)
  })
  calls.delegations.forEach(({ address }, at) => {
    const check = adapter.validateAddress(address)
    if (check.ok) return
    const message = `body.authorizationList[${at}].address is not an address of chain ${config.id}: ${check.why}`
    throw new ServiceError('INVALID_ADDRESS', message)
  })
}

/**
 * Resolves chains, currencies and addresses in the order of wire.md K.1 1; only a token that is not configured is asked for. Throws
 * ServiceError `UNSUPPORTED_CHAIN`, `CHAIN_DISABLED`, `INVALID_INPUT_CURRENCY`, `INVALID_OUTPUT_CURRENCY`,
 * `UNSUPPORTED_CURRENCY`, `INVALID_SUBSIDIZATION`, `INVALID_ADDRESS`, `USER_RECIPIENT_MISMATCH`, `INVALID_RECIPIENT`.
 */
export const resolveRoute = async (
  input: QuoteInput,
  deps: RouteDeps,
  conditions: QuoteConditions = {},
): Promise<ResolvedRoute> => {
  const { origin, destination, listed } = await resolveEnds(input, deps)
  // Only a swap may have a partial sponsor (wire.md K.1 9); whether a quote is one is known only now.
  if (input.asksPartialSubsidy && operationOf({ origin, destination }) !== 'swap') {
    throw new ServiceError('INVALID_SUBSIDIZATION', 'body.subsidizationBps is for swaps only; this is none')
  }
  const signs = conditions.anyUser !== true
  const payer = canonicalUser(origin.chain, input.user, signs)
  const { address: user } = payer
  const payees = { currencies: deps.currencies, listed: listed.filter((currency) => currency !== undefined) }
  const unconnected = signs && isUnconnected(origin.chain, user)
  const sameVm = origin.chain.adapter.vmType === destination.chain.adapter.vmType
  const caller = { priceOnly: unconnected, connected: sameVm && signs && !unconnected }
  const recipient = resolveRecipient(input, payees, destination.chain, caller)
  const refundTo = resolveRefundTo(input, payees, origin.chain, conditions.namedRefund === true ? null : payer)
  const feePayer = resolveFeePayer(input, origin.chain, user)
  checkCalls(input, destination.chain)
  checkAmount(input, origin, destination)
  const isHeld = ({ chain, currency }: RouteEnd) =>
    deps.currencies.find(chain.config.id, currency.address) !== undefined
  if (conditions.plainDeposit === true) requireHeld(origin, isHeld(origin))
  const held = { origin: isHeld(origin), destination: isHeld(destination) }
  const placeholder = { user: unconnected, recipient: isUnconnected(destination.chain, recipient.address) }
  return { origin, destination, user, recipient, refundTo, feePayer, held, placeholder }
}

const requireHeld = ({ chain, currency }: RouteEnd, isHeld: boolean): void => {
  if (isHeld) return
  throw new ServiceError(
    'UNSUPPORTED_CURRENCY',
    `body.originCurrency must be one that the solver holds on chain ${chain.config.id}, which ${currency.symbol} is not`,
  )
}

/** The amount must be positive and one the chain can represent (faults.md F75, F76). */
const checkAmount = ({ amount, tradeType }: QuoteInput, origin: RouteEnd, destination: RouteEnd): void => {
  if (amount === 0n) throw new ServiceError('AMOUNT_TOO_LOW', 'body.amount must be more than 0')
  requireRepresentable(amount, tradeType === 'EXACT_INPUT' ? origin : destination)
}

/** Throws ServiceError `INVALID_REQUEST` when no transaction of the chain can carry the amount. */
export const requireRepresentable = (amount: bigint, { chain }: RouteEnd): void => {
  if (amount <= chain.adapter.maxAmount) return
  throw new ServiceError('INVALID_REQUEST', `body.amount is more than chain ${chain.config.id} can represent`)
}
