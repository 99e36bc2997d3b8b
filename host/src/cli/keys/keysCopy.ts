import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  addToKeystore,
  type KeystoreEntry,
  listKeystore,
  openKeystore,
  renameInKeystore,
  schemeOf,
  WrongPassphraseError,
} from '@causeway/core/host'
import { readVariable } from '../../config/keys/keySources.js'
import { UsageError } from '../plainError.js'
import { currentPassphrase, type KeysDeps, placeOf, said } from './keysActions.js'

export interface CopyTo {
  /** Keystores that are there. */
  readonly to: readonly string[]
  /** Variable with their passphrase, where it is another one. */
  readonly toEnv?: string
  /** A keystore with another key of that name keeps it under another name. */
  readonly replace?: boolean
}

/**
 * `keys copy`: the same key in further keystores, which are there already; for a master key that several roles hold. The key is never
 * outside of memory unsealed. May be run again: a keystore that has the key stays as it is.
 */
export const copyKey = async (deps: KeysDeps, name: string, { to, toEnv, replace = false }: CopyTo): Promise<void> => {
  const place = placeOf(deps)
  const files = to.map((path) => resolve(path))
  for (const [at, file] of files.entries())
    if (!existsSync(file))
      throw new UsageError(`--to names ${to[at]}, which is not there; it takes keystores that are.`)
  const entry = listKeystore(place.file).find((item) => item.name === name)
  if (entry === undefined)
    throw new UsageError(`${place.file} has no key "${name}". causeway keys list shows what there is.`)
  const passphrase = await currentPassphrase(place, deps.streams)
  const theirs = toEnv === undefined ? passphrase : said('--to-env', () => readVariable(toEnv, place))
  const privateKey = openKeystore(place.file, passphrase).read(name)
  const scheme = schemeOf(entry)
  for (const file of files) {
    const other = listKeystore(file).find((item) => item.name === name)
    if (other?.address === entry.address) {
      deps.print(`${name}: ${entry.address} was in ${file}`)
      continue
    }
    orSay(() => {
      if (other !== undefined) deps.print(moveAside(file, theirs, other, replace))
      addToKeystore(file, theirs, { name, privateKey, scheme, now: Date.now() })
    })
    deps.print(`${name}: ${entry.address} is now in ${file}`)
  }
}

/** No key is ever taken away: the one that had the name gets another. */
const moveAside = (file: string, passphrase: string, { name, address }: KeystoreEntry, replace: boolean): string => {
  if (!replace)
    throw new UsageError(
      `${file} has another key of that name: ${name}, ${address}. Nothing was written there. With --replace this one takes its name, and that one is kept under another.`,
    )
  const to = `${name.slice(0, 40)}-replaced-${address.replace(/^0x/, '').slice(0, 8)}`
  renameInKeystore(file, passphrase, { name, to })
  return `${to}: ${address} is what was "${name}" in ${file}`
}

const orSay = (add: () => void): void => {
  try {
    add()
  } catch (error) {
    if (!(error instanceof WrongPassphraseError)) throw error
    throw new UsageError(
      `${error.message} Nothing was written there. Where it has a passphrase of its own: --to-env <variable>`,
    )
  }
}
