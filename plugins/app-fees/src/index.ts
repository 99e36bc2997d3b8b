import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import {
  BALANCE_CURRENCY,
  CHAINS,
  DEPLOYMENT,
  definePlugin,
  KEYS,
  managementGateOf,
  PERMIT_HANDLERS,
  type PluginContext,
  POOL,
  QUOTE_EXTENSIONS,
  RECIPIENT_SCREENING,
  RecordCursor,
  token,
  WALLET_SIGNATURES,
} from '@causeway/core/plugin'
import { ClaimDesk } from './claims/claimDesk.js'
import { ClaimOffers } from './claims/claimOffers.js'
import { balancesRoute } from './http/balancesRoute.js'
import { claimRoute } from './http/claimRoute.js'
import { claimsRoute } from './http/claimsRoute.js'
import { memberRoutes } from './http/memberRoutes.js'
import { appFeesOptions, readSettings } from './options.js'
import { appFees } from './quoting/appFees.js'

const DESK = token<ClaimDesk>('plugin-app-fees/ClaimDesk')

type Container = PluginContext<unknown>['container']

const sharedOf = (container: Container) => ({
  pool: container.resolve(POOL),
  chains: container.resolve(CHAINS),
  currencies: container.resolve(CURRENCIES),
  prices: container.resolve(PRICES),
})

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Words of the body for a claim: some clients call it a request (wire.md 2.7). */
const KINDS = ['claim', 'request']

/** Fees of integrators in quotes, and the balances that they claim (wire.md 4.12, D.7). */
export default definePlugin({
  name: '@causeway/plugin-app-fees',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [
    CHAINS,
    CURRENCIES,
    PRICES,
    POOL,
    CLOCK,
    KEYS,
    DEPLOYMENT,
    BALANCE_CURRENCY,
    WALLET_SIGNATURES,
    RECIPIENT_SCREENING,
  ],
  provides: [QUOTE_EXTENSIONS, PERMIT_HANDLERS],
  options: appFeesOptions,
  register: ({ container, provide, options }) => {
    const settings = readSettings(options)
    const balanceCurrency = container.resolve(BALANCE_CURRENCY)
    const extension = appFees({ ...settings, balanceCurrency })
    provide(QUOTE_EXTENSIONS, () => [extension])
    const desk = once(
      () =>
        new ClaimDesk({
          ...sharedOf(container),
          clock: container.resolve(CLOCK),
          signatures: container.resolve(WALLET_SIGNATURES),
          screening: container.resolve(RECIPIENT_SCREENING),
          offers: new ClaimOffers({ keys: container.resolve(KEYS), deployment: container.resolve(DEPLOYMENT) }),
          balanceCurrency,
          settings,
        }),
    )
    container.register(DESK, { useFactory: desk })
    provide(PERMIT_HANDLERS, () => [
      {
        kinds: KINDS,
        execute: async ({ requestId, signature, terms }) => {
          await desk().sign(requestId, signature, terms)
          return { message: 'The claim is signed and will be paid' }
        },
      },
    ])
  },
  routes: ({ container }) => {
    const shared = sharedOf(container)
    const desk = container.resolve(DESK)
    // Made at the first page: a process without the master key can still do everything else.
    const cursor = once(() => new RecordCursor(container.resolve(KEYS).derive('app-fees/claims')))
    const deps = { ...shared, desk, cursor }
    const gate = managementGateOf(container)
    return [
      balancesRoute(deps),
      claimRoute(desk),
      claimsRoute(deps),
      ...(gate === null ? [] : memberRoutes({ ...deps, gate, balanceCurrency: container.resolve(BALANCE_CURRENCY) })),
    ]
  },
})
