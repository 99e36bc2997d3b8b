import type { LaneKey } from '@causeway/core/money-path'
import type { ChainRegistry } from '@causeway/core/plugin'

/** Hex addresses are stored in lower case. */
export const storedAddress = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)

/** The signing lane of every chain of the configuration, whether this process has its key or not. */
export const configuredLanes = (chains: ChainRegistry): readonly LaneKey[] =>
  chains
    .all()
    .filter(({ config }) => config.solver !== '')
    .map(({ config }) => ({ chainId: config.id, signer: storedAddress(config.solver) }))
