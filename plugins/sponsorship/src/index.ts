import { CLOCK, CURRENCIES } from '@causeway/core'
import {
  BALANCE_CURRENCY,
  DEPLOYMENT,
  definePlugin,
  KEYS,
  MANAGEMENT_GATE,
  type PluginContext,
  POOL,
  QUOTE_EXTENSIONS,
  readFundingWallet,
  WALLET_SIGNATURES,
} from '@causeway/core/plugin'
import { LinkNonces } from './linking/linkNonces.js'
import { linkRoutes } from './linking/linkRoutes.js'
import { managedRoutes } from './linking/managedRoutes.js'
import { migrations } from './linking/migrations.js'
import { walletCommand } from './linking/walletCommand.js'
import { WalletLinks } from './linking/walletLinks.js'
import { type SponsorshipOptions, sponsorshipOptions } from './options.js'
import { LinkedWallets } from './quoting/linkedWallets.js'
import { sponsoredQuotes } from './quoting/sponsoredQuotes.js'

type Container = PluginContext<SponsorshipOptions>['container']

/** The currency of balances; null: this deployment keeps none, so that nothing can be sponsored. */
const balanceCurrencyOf = (container: Container) => {
  const setting = container.resolve(BALANCE_CURRENCY)
  return setting === null ? null : (container.resolve(CURRENCIES).find(setting.chainId, setting.address) ?? null)
}

const linksOf = (container: Container): WalletLinks | null => {
  const balanceCurrency = container.resolve(BALANCE_CURRENCY)
  if (balanceCurrency === null) return null
  const clock = container.resolve(CLOCK)
  return new WalletLinks({
    pool: container.resolve(POOL),
    clock,
    deployment: container.resolve(DEPLOYMENT),
    signatures: container.resolve(WALLET_SIGNATURES),
    nonces: new LinkNonces({ keys: container.resolve(KEYS), clock }),
    balanceCurrency,
  })
}

/** Sponsors who pay fees of their users (wire.md D.9), and the rates that they guarantee (D.8). */
export default definePlugin({
  name: '@causeway/plugin-sponsorship',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, KEYS, CURRENCIES, DEPLOYMENT, BALANCE_CURRENCY, WALLET_SIGNATURES, MANAGEMENT_GATE],
  provides: [QUOTE_EXTENSIONS],
  options: sponsorshipOptions,
  migrations,
  register: ({ container, provide, options }) => {
    provide(QUOTE_EXTENSIONS, () => {
      const balanceCurrency = balanceCurrencyOf(container)
      if (balanceCurrency === null) return []
      const [pool, clock] = [container.resolve(POOL), container.resolve(CLOCK)]
      const extension = sponsoredQuotes({
        clock,
        balanceCurrency,
        serviceName: container.resolve(DEPLOYMENT).serviceName,
        maxFixedRateBps: BigInt(options.maxFixedRateBps),
        wallets: new LinkedWallets({
          clock,
          read: (integratorId) => readFundingWallet(pool, integratorId, balanceCurrency, clock.now()),
        }),
      })
      return [extension]
    })
  },
  routes: ({ container }) => {
    const [links, balanceCurrency] = [linksOf(container), balanceCurrencyOf(container)]
    if (links === null || balanceCurrency === null) return []
    const { gate } = container.resolve(MANAGEMENT_GATE)
    const deps = { links, balanceCurrency }
    return [...linkRoutes(deps), ...(gate === null ? [] : managedRoutes({ ...deps, gate }))]
  },
  commands: ({ container }) => [walletCommand({ links: () => linksOf(container) })],
})
