import { definePlugin, QUOTE_EXTENSIONS } from '@causeway/core/plugin'
import { gasTopup } from './gasTopup.js'
import { gasTopupOptions, readSettings } from './options.js'

/** Adds `topupGas` to quotes. */
export default definePlugin({
  name: '@causeway/plugin-gas-topup',
  version: '1.0.0',
  coreRange: '^1.0.0',
  provides: [QUOTE_EXTENSIONS],
  options: gasTopupOptions,
  register: ({ provide, options }) => {
    const extension = gasTopup(readSettings(options))
    provide(QUOTE_EXTENSIONS, () => [extension])
  },
})
