import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { addToKeystore, KeystoreError, listKeystore, openKeystore, schemeOf } from '@causeway/core/host'
import { readVariable } from '../config/keys/keySources.js'
import { currentPassphrase, type KeysDeps, placeOf, said } from './keysActions.js'
import { UsageError } from './plainError.js'

export interface CopyTo {
  /** Keystores that are there. */
  readonly to: readonly string[]
  /** Variable with their passphrase, where it is another one. */
  readonly toEnv?: string
}

/**
 * `keys copy`: the same key in further keystores, which are there already; for a master key that several roles hold. The key is never
 * outside of memory unsealed. May be run again: a keystore that has the key stays as it is.
 */
export const copyKey = async (deps: KeysDeps, name: string, { to, toEnv }: CopyTo): Promise<void> => {
  const place = placeOf(deps)
  const files = to.map((path) => resolve(path))
  for (const [at, file] of files.entries())
    if (!existsSync(file))
      throw new UsageError(`--to names ${to[at]}, which is not there; it takes keystores that are.`)
  const entry = listKeystore(place.file).find((item) => item.name === name)
  if (entry === undefined)
    throw new UsageError(`${place.file} has no key "${name}". causeway keys list shows what there is.`)
  const passphrase = await currentPassphrase(place, deps.streams)
  const other = toEnv === undefined ? passphrase : said('--to-env', () => readVariable(toEnv, place))
  const privateKey = openKeystore(place.file, passphrase).read(name)
  const scheme = schemeOf(entry)
  for (const file of files) {
    const has = listKeystore(file).some((item) => item.name === name && item.address === entry.address)
    if (!has) addOrSay(() => addToKeystore(file, other, { name, privateKey, scheme, now: Date.now() }))
    deps.print(`${name}: ${entry.address} ${has ? 'was in' : 'is now in'} ${file}`)
  }
}

const addOrSay = (add: () => void): void => {
  try {
    add()
  } catch (error) {
    if (!(error instanceof KeystoreError)) throw error
    throw new UsageError(
      `${error.message} Nothing was written there. Where that keystore has a passphrase of its own: --to-env <variable>; where it has another key of that name: give the new key another name.`,
    )
  }
}
