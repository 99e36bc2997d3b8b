import {
  type Chain,
  type ChainRegistry,
  type Currency,
  type CurrencyRegistry,
  type Destination,
  ServiceError,
} from '@causeway/core'
import type { QuoteInput } from './quoteInput.js'

/** One end of a route with its chain's own currency for fees. */
export interface RouteEnd {
  readonly chain: Chain
  readonly currency: Currency
  readonly native: Currency
}

/** A checked pair of ends with the addresses on each, in canonical form. */
export interface ResolvedRoute {
  readonly origin: RouteEnd
  readonly destination: RouteEnd
  /** On the origin chain. */
  readonly user: string
  /** On the destination chain. */
  readonly recipient: Destination
  /** On the origin chain; the user unless the body names another (wire.md H.2). */
  readonly refundTo: string
  /** On the origin chain; null: the user pays for the deposit's transaction. */
  readonly feePayer: string | null
}

export interface RouteDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
}

const findChain = (chains: ChainRegistry, chainId: number): Chain => {
  const chain = chains.find(chainId)
  if (chain === undefined) throw new ServiceError('UNSUPPORTED_CHAIN', `Chain ${chainId} is not served here`)
  if (!chain.config.enabled) throw new ServiceError('CHAIN_DISABLED', `Chain ${chainId} is switched off now`)
  return chain
}

const findCurrency = (
  { currencies }: RouteDeps,
  { config, adapter }: Chain,
  side: {
    readonly field: string
    readonly text: string
    readonly malformed: 'INVALID_INPUT_CURRENCY' | 'INVALID_OUTPUT_CURRENCY'
  },
): Currency => {
  const address = adapter.normalizeCurrency(side.text)
  if (address === null)
    throw new ServiceError(side.malformed, `body.${side.field} is not a currency of chain ${config.id}`)
  const currency = currencies.find(config.id, address)
  if (currency !== undefined) return currency
  throw new ServiceError('UNSUPPORTED_CURRENCY', `body.${side.field} is not a currency served on chain ${config.id}`)
}

const nativeOf = ({ currencies }: RouteDeps, { config }: Chain): Currency => {
  const native = currencies.native(config.id)
  if (native === undefined) throw new Error(`Chain ${config.id} has no native currency in the registry`)
  return native
}

const resolveEnds = (
  input: QuoteInput,
  deps: RouteDeps,
): { readonly origin: RouteEnd; readonly destination: RouteEnd } => {
  const from = findChain(deps.chains, input.originChainId)
  const to = findChain(deps.chains, input.destinationChainId)
  const paid = findCurrency(deps, from, {
    field: 'originCurrency',
    text: input.originCurrency,
    malformed: 'INVALID_INPUT_CURRENCY',
  })
  const got = findCurrency(deps, to, {
    field: 'destinationCurrency',
    text: input.destinationCurrency,
    malformed: 'INVALID_OUTPUT_CURRENCY',
  })
  return {
    origin: { chain: from, currency: paid, native: nativeOf(deps, from) },
    destination: { chain: to, currency: got, native: nativeOf(deps, to) },
  }
}

const addressOnOrigin = ({ adapter, config }: Chain, field: string, text: string): string => {
  const check = adapter.validateAddress(text)
  if (check.ok) return check.canonical
  throw new ServiceError('INVALID_ADDRESS', `body.${field} is not an address of chain ${config.id}: ${check.why}`)
}

/** Why nothing should ever be paid to this address, or null (wire.md K.1 6). */
const whyNotPayable = (deps: RouteDeps, { adapter, config }: Chain, address: string): string | null => {
  const same = (other: string): boolean => adapter.sameAddress(address, other)
  if (same(adapter.native.address)) return 'is the address that stands for the native currency'
  if (same(adapter.depository)) return 'is the depository contract'
  if (adapter.fillContract !== null && same(adapter.fillContract)) return 'is the contract that pays out'
  if (deps.currencies.ofChain(config.id).some((currency) => same(currency.address))) return 'is a token contract'
  return null
}

const resolveRecipient = (input: QuoteInput, deps: RouteDeps, chain: Chain): Destination => {
  const { adapter, config } = chain
  const check = adapter.validateAddress(input.recipient ?? input.user)
  if (!check.ok && input.recipient === null) {
    throw new ServiceError(
      'USER_RECIPIENT_MISMATCH',
      `body.user is not an address of chain ${config.id}, so body.recipient is needed`,
    )
  }
  if (!check.ok) {
    throw new ServiceError('INVALID_ADDRESS', `body.recipient is not an address of chain ${config.id}: ${check.why}`)
  }
  const why = input.recipient === null ? null : whyNotPayable(deps, chain, check.canonical)
  if (why !== null) throw new ServiceError('INVALID_RECIPIENT', `body.recipient ${why}`)
  return { address: check.canonical, ...(check.tag === undefined ? {} : { tag: check.tag }) }
}

const resolveRefundTo = (input: QuoteInput, deps: RouteDeps, chain: Chain, user: string): string => {
  if (input.refundTo === null) return user
  const refundTo = addressOnOrigin(chain, 'refundTo', input.refundTo)
  const why = whyNotPayable(deps, chain, refundTo)
  if (why !== null) throw new ServiceError('INVALID_ADDRESS', `body.refundTo ${why}`)
  return refundTo
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

const isSameAsset = (origin: Currency, destination: Currency): boolean =>
  origin.chainId !== destination.chainId && origin.groupId === destination.groupId

/**
 * Resolves chains, currencies and addresses in the order of wire.md K.1 1, without a call to any chain. Throws
 * ServiceError `UNSUPPORTED_CHAIN`, `CHAIN_DISABLED`, `INVALID_INPUT_CURRENCY`, `INVALID_OUTPUT_CURRENCY`,
 * `UNSUPPORTED_CURRENCY`, `INVALID_SUBSIDIZATION`, `INVALID_ADDRESS`, `USER_RECIPIENT_MISMATCH`, `INVALID_RECIPIENT`.
 */
export const resolveRoute = (input: QuoteInput, deps: RouteDeps): ResolvedRoute => {
  const { origin, destination } = resolveEnds(input, deps)
  if (input.asksPartialSubsidy && isSameAsset(origin.currency, destination.currency)) {
    // Whether a quote is a swap is known only now; a bridge never has a partial sponsor (wire.md K.1 9).
    throw new ServiceError('INVALID_SUBSIDIZATION', 'body.subsidizationBps is for swaps only; this is a bridge')
  }
  const user = addressOnOrigin(origin.chain, 'user', input.user)
  const recipient = resolveRecipient(input, deps, destination.chain)
  const refundTo = resolveRefundTo(input, deps, origin.chain, user)
  const feePayer = resolveFeePayer(input, origin.chain, user)
  checkAmount(input, origin, destination)
  return { origin, destination, user, recipient, refundTo, feePayer }
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
