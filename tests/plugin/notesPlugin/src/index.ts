import { CLOCK } from '@causeway/core'
import { PRICE_SOURCES } from '@causeway/core/chain'
import {
  CHAINS,
  CURRENCY_SEARCH_SOURCES,
  definePlugin,
  PAGE_EXTENSIONS,
  POOL,
  parseUsd,
  QUOTE_EXTENSIONS,
} from '@causeway/core/plugin'
import { fixedPrices } from './fixedPrices.js'
import { listedTokens } from './listedTokens.js'
import { noteExtension } from './noteExtension.js'
import { notePage } from './notePage.js'
import { noteRoutes } from './noteRoutes.js'
import { migrations } from './noteTable.js'
import { notesOptions } from './options.js'

// biome-ignore lint/style/noDefaultExport: the host takes a package's entry from there
export default definePlugin({
  name: 'causeway-plugin-example',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CLOCK, POOL],
  provides: [QUOTE_EXTENSIONS, PRICE_SOURCES, CURRENCY_SEARCH_SOURCES, PAGE_EXTENSIONS],
  options: notesOptions,
  migrations,
  register: ({ provide, options, container }) => {
    provide(QUOTE_EXTENSIONS, () => [noteExtension(parseUsd(options.feeUsd) ?? 0n)])
    provide(PRICE_SOURCES, () => [fixedPrices(options.prices, container.resolve(CLOCK))])
    provide(CURRENCY_SEARCH_SOURCES, () => [listedTokens(options.tokens, container.resolve(CHAINS))])
    provide(PAGE_EXTENSIONS, () => [notePage])
  },
  routes: ({ container }) => noteRoutes(container.resolve(POOL)),
})
