import type { LaneKey } from '@causeway/core/money-path'
import { type ChainRegistry, storedAddress } from '@causeway/core/plugin'

/** The signing lane of every chain of the configuration, whether this process has its key or not. */
export const configuredLanes = (chains: ChainRegistry): readonly LaneKey[] =>
  chains
    .all()
    .filter(({ config }) => config.solver !== '')
    .map(({ config }) => ({ chainId: config.id, signer: storedAddress(config.solver) }))
