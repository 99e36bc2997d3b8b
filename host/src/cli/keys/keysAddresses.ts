import { readAddressSeed } from '../../config/keys/addressSeed.js'
import { ConfiguredKeystore, UnreadableKey } from '../../config/keys/keySources.js'
import { CORE_TOKENS } from '../../container/registerCore.js'
import { loadPackages } from '../../plugins/loadPackages.js'
import { UsageError } from '../plainError.js'
import type { KeysDeps } from './keysActions.js'

/**
 * `keys addresses`: what the options of each chain name of the secret of deposit addresses, for the processes that give addresses and may not
 * hold it. Nothing of it is secret, but who knows it knows which addresses belong together.
 */
export const showAddressOptions = async (deps: KeysDeps): Promise<void> => {
  const { loaded, environment, print } = deps
  const seed = readSeed(deps)
  const { chains } = await loadPackages(loaded, CORE_TOKENS)
  const place = { folder: loaded.folder, environment }
  const keyed = chains.flatMap(({ chain, package: chainPackage }, at) => {
    const options = chainPackage.addressOptions?.(seed, chain.options, chain.id)
    return options === undefined ? [] : [{ chain, at, options }]
  })
  if (keyed.length === 0)
    print(`No chain of ${place.folder} has addresses that take a key; there is nothing to put anywhere.`)
  for (const { chain, at, options } of keyed) {
    for (const [option, value] of Object.entries(options)) {
      const is = chain.options[option]
      const told = is === value ? 'is there' : is === undefined ? 'is to be put there' : 'IS ANOTHER there'
      print(`${chain.slug}: chains[${at}].options.${option}: "${value}" (${told})`)
    }
  }
}

const readSeed = ({ loaded, environment }: KeysDeps): Uint8Array => {
  const { hd, keystore } = loaded.config.keys
  if (hd === undefined)
    throw new UsageError(
      'The configuration has no keys.hd. Make one with "causeway keys new hd", and name it there as { "keystore": "hd" }.',
    )
  const place = { folder: loaded.folder, environment }
  try {
    return readAddressSeed(hd, place, new ConfiguredKeystore(keystore, place))
  } catch (error) {
    if (error instanceof UnreadableKey) throw new UsageError(`keys.hd ${error.message} ${error.remedy}`)
    throw error
  }
}
