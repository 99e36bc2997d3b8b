import { CLOCK } from '@causeway/core'
import { CHAINS, NONCE_MAPPINGS, type PluginContext, type Route, WALLET_SIGNATURES } from '@causeway/core/plugin'
import type { GaslessOptions } from '../options.js'
import { authorizeRoute } from './authorizeRoute.js'
import { MappedChains } from './mappedChains.js'

/** What the part needs. */
export const AUTHORIZE_NEEDS = [CHAINS, CLOCK, NONCE_MAPPINGS, WALLET_SIGNATURES]

/** Its operations. */
export const authorizeRoutes = ({ container, options }: PluginContext<GaslessOptions>): readonly Route[] => {
  const chains = container.resolve(CHAINS)
  return [
    authorizeRoute({
      clock: container.resolve(CLOCK),
      mappings: container.resolve(NONCE_MAPPINGS),
      mapped: new MappedChains({ chains, options: options.nonceMapping }),
      signatures: container.resolve(WALLET_SIGNATURES),
    }),
  ]
}
