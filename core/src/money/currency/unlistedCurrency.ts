import type { TokenFacts } from '../../chain/chainAdapter.js'
import type { Chain } from '../../chain/chainRegistry.js'
import type { Currency } from './currency.js'

/** A token that is not listed, with the metadata of its chain. It is unverified, and its group is its own, so that it counts as no other. */
export const unlistedCurrency = ({ config, adapter }: Chain, address: string, facts: TokenFacts): Currency => ({
  chainId: config.id,
  address,
  ...facts,
  vmType: adapter.vmType,
  groupId: `${config.id}:${address}`,
  metadata: { logoURI: '', verified: false, isNative: false },
})
