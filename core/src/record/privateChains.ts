import type { ChainRegistry } from '../chain/chainRegistry.js'
import { ServiceError } from '../errors/serviceError.js'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MAX_IDS = 50

/**
 * The private chains that stay hidden from a caller who names these (wire.md K.3 8): `named` is a comma-separated list of
 * UUIDs, unknown ones are ignored. Throws `INVALID_REQUEST` for a list that is none.
 */
export const hiddenChains = (chains: Pick<ChainRegistry, 'all'>, named: string | undefined): readonly number[] => {
  const ids = named === undefined ? [] : named.split(',').map((id) => id.trim().toLowerCase())
  if (ids.length > MAX_IDS || !ids.every((id) => UUID.test(id))) {
    throw new ServiceError('INVALID_REQUEST', 'query.privateChainsToInclude must be UUIDs with commas between them')
  }
  return chains
    .all()
    .filter(({ config }) => config.privateId !== undefined && !ids.includes(config.privateId.toLowerCase()))
    .map(({ config }) => config.id)
}
