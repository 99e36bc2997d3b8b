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
  /** Whether the solver holds the currency of each end; else it takes a swap. */
  readonly held: { readonly origin: boolean; readonly destination: boolean }
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

interface Side {
  readonly field: string
  readonly text: string
  readonly malformed: 'INVALID_INPUT_CURRENCY' | 'INVALID_OUTPUT_CURRENCY'
}

const unsupported = ({ field }: Side, { config }: Chain): ServiceError =>
  new ServiceError('UNSUPPORTED_CURRENCY', `body.${field} is not a currency served on chain ${config.id}`)

/** A listed currency, or a token that says of itself what it is where the chain has swaps to reach it. */
const findCurrency = async ({ currencies }: RouteDeps, chain: Chain, side: Side): Promise<Currency> => {
  const { config, adapter } = chain
  const address = adapter.normalizeCurrency(side.text)
  if (address === null)
    throw new ServiceError(side.malformed, `body.${side.field} is not a currency of chain ${config.id}`)
  const native = currencies.native(config.id)
  const known = currencies.find(config.id, address) ?? (native?.address === address ? native : undefined)
  if (known !== undefined) return known
  if (adapter.swaps === undefined || adapter.readToken === undefined) throw unsupported(side, chain)
  return readUnlisted(chain, address, side)
}

const readUnlisted = async (chain: Chain, address: string, side: Side): Promise<Currency> => {
  const facts = (await chain.adapter.readToken?.(address)) ?? null
  if (facts === null) throw unsupported(side, chain)
  return {
    chainId: chain.config.id,
    address,
    ...facts,
    vmType: chain.adapter.vmType,
    groupId: `${chain.config.id}:${address}`,
    metadata: { logoURI: '', verified: false, isNative: false },
  }
}

const nativeOf = ({ currencies }: RouteDeps, { config }: Chain): Currency => {
  const native = currencies.native(config.id)
  if (native === undefined) throw new Error(`Chain ${config.id} has no native currency in the registry`)
  return native
}

const resolveEnds = async (
  input: QuoteInput,
  deps: RouteDeps,
): Promise<{ readonly origin: RouteEnd; readonly destination: RouteEnd }> => {
  const from = findChain(deps.chains, input.originChainId)
  const to = findChain(deps.chains, input.destinationChainId)
  const [paid, got] = await Promise.all([
    findCurrency(deps, from, {
      field: 'originCurrency',
      text: input.originCurrency,
      malformed: 'INVALID_INPUT_CURRENCY',
    }),
    findCurrency(deps, to, {
      field: 'destinationCurrency',
      text: input.destinationCurrency,
      malformed: 'INVALID_OUTPUT_CURRENCY',
    }),
  ])
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
  const { wrappedNative = null, router = null } = adapter.swaps ?? {}
  if (wrappedNative !== null && same(wrappedNative)) return 'is a token contract'
  if (router !== null && same(router)) return 'is the contract that swaps'
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
  if (input.refundTo === null) {
    // A refund to it would be a deposit again.
    if (!chain.adapter.sameAddress(user, chain.adapter.depository)) return user
    throw new ServiceError('INVALID_ADDRESS', 'body.user is the depository, so body.refundTo is needed')
  }
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
}

/** Only a swap may have a partial sponsor (wire.md K.1 9). */
const isSwap = (origin: RouteEnd, destination: RouteEnd): boolean =>
  origin.chain === destination.chain
    ? origin.currency.address !== destination.currency.address
    : origin.currency.groupId !== destination.currency.groupId

/**
 * Resolves chains, currencies and addresses in the order of wire.md K.1 1; only an unlisted token is asked for. Throws
 * ServiceError `UNSUPPORTED_CHAIN`, `CHAIN_DISABLED`, `INVALID_INPUT_CURRENCY`, `INVALID_OUTPUT_CURRENCY`,
 * `UNSUPPORTED_CURRENCY`, `INVALID_SUBSIDIZATION`, `INVALID_ADDRESS`, `USER_RECIPIENT_MISMATCH`, `INVALID_RECIPIENT`.
 */
export const resolveRoute = async (input: QuoteInput, deps: RouteDeps): Promise<ResolvedRoute> => {
  const { origin, destination } = await resolveEnds(input, deps)
  if (input.asksPartialSubsidy && !isSwap(origin, destination)) {
    // Whether a quote is a swap is known only now.
    throw new ServiceError('INVALID_SUBSIDIZATION', 'body.subsidizationBps is for swaps only; this is none')
  }
  const user = addressOnOrigin(origin.chain, 'user', input.user)
  const recipient = resolveRecipient(input, deps, destination.chain)
  const refundTo = resolveRefundTo(input, deps, origin.chain, user)
  const feePayer = resolveFeePayer(input, origin.chain, user)
  checkCalls(input, destination.chain)
  checkAmount(input, origin, destination)
  const isHeld = ({ chain, currency }: RouteEnd) =>
    deps.currencies.find(chain.config.id, currency.address) !== undefined
  const held = { origin: isHeld(origin), destination: isHeld(destination) }
  return { origin, destination, user, recipient, refundTo, feePayer, held }
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
