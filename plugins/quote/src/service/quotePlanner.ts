import { type Currency, type CurrencyRegistry, ServiceError } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import {
  type BalanceCurrency,
  type ChainRegistry,
  type CurrencyListing,
  holderOf,
  type QuoteCall,
  type QuoteDraft,
  type QuoteTerms,
} from '@causeway/core/plugin'
import type { QuoteSettings } from '../options.js'
import type { IntegratorRule } from '../rules/integratorRule.js'
import type { IntegratorRules } from '../rules/integratorRules.js'
import { ruleFor } from '../rules/ruleFor.js'
import { readQuoteInput } from './input/quoteInput.js'
import { readSwapLimits } from './input/swapLimits.js'
import { warnOfUnknownFields } from './input/unknownFields.js'
import type { QuoteExtensions } from './quoteExtensions.js'
import { payableInput } from './route/payableAmounts.js'
import { planRoute, type RoutePlan } from './route/planRoute.js'
import type { QuotePlan } from './route/quotePlan.js'
import { type ResolvedRoute, type RouteEnd, resolveRoute } from './route/resolveRoute.js'
import { screenRoute } from './route/screening.js'

export interface QuotePlannerDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly settings: QuoteSettings
  readonly rules: Pick<IntegratorRules, 'rulesOf' | 'walletOf'>
  /** Null: this deployment keeps no balances. */
  readonly balanceCurrency: BalanceCurrency | null
  listing(): CurrencyListing
}

/** Makes plans of calls, in the order of checks of wire.md K.1 1. */
export class QuotePlanner {
  readonly #deps: QuotePlannerDeps

  constructor(deps: QuotePlannerDeps) {
    this.#deps = deps
  }

  /** Reads, resolves and screens a call, and lets the extensions of the first three phases have their say. Throws ServiceError. */
  async plan(call: QuoteCall, extensions: QuoteExtensions, requoteOf: QuoteTerms | null = null): Promise<QuotePlan> {
    const { settings, prices } = this.#deps
    const { body } = call
    extensions.check(body)
    // A stored body was taken as it is, maybe by a former release.
    const warnings = requoteOf === null ? checkFresh(body, extensions) : []
    const asked = readQuoteInput(body, extensions)
    const conditions = extensions.conditions(body)
    const isPlain = conditions.plainDeposit === true
    const read = isPlain ? { ...asked, disableOriginSwaps: true, explicitDeposit: false } : asked
    const resolved = await resolveRoute(read, this.#deps, conditions)
    // What has arrived already is taken as it is.
    const input = requoteOf === null ? payableInput(read, resolved) : read
    const route = requoteOf === null ? resolved : { ...resolved, ...partiesOf(requoteOf) }
    screenRoute(route, settings)
    const limits = readSwapLimits(body, route.origin.chain, route.destination.chain)
    const draft = draftOf(call, { route, requoteOf }, prices)
    for (const phase of ['resolve', 'route', 'fees'] as const) await extensions.run(phase, draft)
    const plan = planRoute(route, input, settings, {
      needsSolver: isPlain || draft.topup > 0n || draft.feeLines.length > 0 || draft.fixedRate !== null,
      anyPayer: conditions.anyUser === true,
    })
    if (draft.fixedRate !== null) requireStablePair(route, settings)
    const rule = await this.#rule(call, route, plan)
    const ruleWallet = await this.#walletOf(rule)
    return {
      ...plan,
      input,
      route,
      limits,
      rule,
      ruleWallet,
      balanceCurrency: conditions.usesBalances === true || ruleWallet !== null ? this.#balanceCurrency() : null,
      feeRules: extensions.feeRules(draft),
      draft,
      warnings,
    }
  }

  /** Whose balance the part of an integrator goes to. */
  async #walletOf(rule: IntegratorRule | null): Promise<string | null> {
    const { balanceCurrency, rules } = this.#deps
    return rule === null || rule.integratorFeeBps === 0 || balanceCurrency === null
      ? null
      : rules.walletOf(rule.integratorId)
  }

  /** Throws Error: the start of a host refuses balances in a currency that it does not know. */
  #balanceCurrency(): Currency | null {
    const { balanceCurrency, currencies } = this.#deps
    if (balanceCurrency === null) return null
    const currency = currencies.find(balanceCurrency.chainId, balanceCurrency.address)
    if (currency === undefined) throw new Error('The currency of balances is not configured.')
    return currency
  }

  async #rule(
    { caller }: QuoteCall,
    { origin, destination }: ResolvedRoute,
    { pairClass, direct }: RoutePlan,
  ): Promise<IntegratorRule | null> {
    // What the user moves alone bears no fee that could be agreed on.
    if (caller.kind === 'anonymous' || direct !== null) return null
    const sideOf = ({ chain, currency }: RouteEnd) => ({ chainId: chain.config.id, currency: currency.address })
    const rules = await this.#deps.rules.rulesOf(caller.integratorId)
    return ruleFor(rules, { bucket: pairClass, origin: sideOf(origin), destination: sideOf(destination) })
  }
}

/** Rules that only a new quote has. Throws ServiceError `INVALID_REQUEST`. */
const checkFresh = (body: QuoteCall['body'], extensions: QuoteExtensions): readonly string[] => {
  if (body.referrer === '') {
    throw new ServiceError('INVALID_REQUEST', 'body.referrer is empty; leave it out, or name who refers')
  }
  return warnOfUnknownFields(body, extensions)
}

/** A rate is fixed between stablecoins alone, and paid out of the inventory (wire.md D.8). Throws ServiceError `UNSUPPORTED_ROUTE`. */
const requireStablePair = ({ origin, destination, held }: ResolvedRoute, { stableSymbols }: QuoteSettings): void => {
  const stable = [origin, destination].every(({ currency }) => stableSymbols.has(currency.symbol.toUpperCase()))
  if (stable && held.origin && held.destination) return
  throw new ServiceError(
    'UNSUPPORTED_ROUTE',
    'body.fixedRate is for two stablecoins that the solver holds on their chains; GET /chains lists what it holds',
  )
}

/** What was promised to whom stays, whatever came in. */
const partiesOf = ({
  user,
  recipient,
  refundTo,
}: QuoteTerms): Pick<ResolvedRoute, 'user' | 'recipient' | 'refundTo'> => ({
  user,
  recipient,
  refundTo,
})

const draftOf = (
  { body, caller, ip }: QuoteCall,
  { route, requoteOf }: { readonly route: ResolvedRoute; readonly requoteOf: QuoteTerms | null },
  prices: Prices,
): QuoteDraft => ({
  body,
  caller,
  holder: holderOf(caller, ip ?? ''),
  origin: route.origin.chain,
  destination: route.destination.chain,
  originCurrency: route.origin.currency,
  destinationCurrency: route.destination.currency,
  originNative: route.origin.native,
  destinationNative: route.destination.native,
  user: route.user,
  recipient: route.recipient.address,
  feeLines: [],
  topup: 0n,
  rebalancingBps: null,
  fixedRate: null,
  refundTo: route.refundTo,
  orderSeconds: null,
  wholeDeposit: false,
  sentForUser: false,
  requoteOf,
  prices: (currencies) => prices.get(currencies),
})
