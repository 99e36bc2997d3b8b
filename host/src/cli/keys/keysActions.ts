import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { EnvironmentVariables } from '@causeway/core'
import type { Signer } from '@causeway/core/chain'
import {
  addToKeystore,
  changeKeystorePassphrase,
  createInKeystore,
  exportFromKeystore,
  isKeystoreText,
  type KeystoreEntry,
  KeystoreError,
  listKeystore,
  type OpenKeystore,
  openKeystore,
  schemeOf,
} from '@causeway/core/host'
import {
  readPassphrase,
  readPrivateFile,
  readVariable,
  type SecretPlace,
  UnreadableKey,
} from '../../config/keys/keySources.js'
import { configuredKeys } from '../../config/keys/keyValues.js'
import { splitBeside } from '../../config/keys/splitKeystores.js'
import type { LoadedConfig } from '../../config/loadConfig.js'
import { UsageError } from '../plainError.js'
import { askHidden, askHiddenTwice, askLine, readHidden, type SecretStreams } from '../secretInput.js'

export interface KeysDeps {
  /** Loaded without its keys. */
  readonly loaded: LoadedConfig
  readonly environment: EnvironmentVariables
  readonly streams: SecretStreams
  print(line: string): void
}

/** The keystore of the configuration. */
export interface Place extends SecretPlace {
  readonly settings: NonNullable<LoadedConfig['config']['keys']['keystore']>
  readonly file: string
}

/** @throws UsageError where the configuration names no keystore */
export const placeOf = ({ loaded, environment }: KeysDeps): Place => {
  const settings = loaded.config.keys.keystore
  if (settings === undefined)
    throw new UsageError(
      `${loaded.file} names no keystore. Add to its keys: "keystore": { "file": "keys.json", "passphrase": { "env": "KEYSTORE_PASSPHRASE" } }`,
    )
  return { settings, file: resolve(loaded.folder, settings.file), folder: loaded.folder, environment }
}

/** Plain sentences of what a configured place lacks. */
export const said = <T>(what: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableKey) throw new UsageError(`${what} ${error.message} ${error.remedy}`)
    throw error
  }
}

/** From where the configuration says; typed where that is not set and somebody is there to type. */
export const currentPassphrase = async (place: Place, streams: SecretStreams): Promise<string> => {
  try {
    return readPassphrase(place.settings, place)
  } catch (error) {
    if (!(error instanceof UnreadableKey)) throw error
    if (streams.input.isTTY !== true) throw new UsageError(`keys.keystore.passphrase ${error.message} ${error.remedy}`)
    return existsSync(place.file)
      ? askHidden('Passphrase of the keystore', streams)
      : askHiddenTwice('Passphrase of the new keystore', streams)
  }
}

/** After a split a new keystore beside it would be one that no process opens. */
const refuseBesideSplit = ({ file, folder, settings }: Place): void => {
  if (existsSync(file)) return
  const [first, ...more] = splitBeside(file, folder).filter((path) => dirname(resolve(folder, path)) !== dirname(file))
  if (first === undefined) return
  throw new UsageError(
    `${settings.file} is not there, and the keys were split: ${[first, ...more].join(', ')}. Say which one: KEYSTORE_FILE=${first} causeway keys ...`,
  )
}

const tell = ({ print }: KeysDeps, { name, address }: KeystoreEntry, file: string): void => {
  print(`${name}: ${address}`)
  print(`It is in ${file}. Name it in the configuration as { "keystore": "${name}" }, and back the file up.`)
}

type Scheme = Signer['scheme']

/** `keys new`: a random key that nobody sees. */
export const newKey = async (deps: KeysDeps, name: string, scheme: Scheme = 'secp256k1'): Promise<void> => {
  const place = placeOf(deps)
  refuseBesideSplit(place)
  const passphrase = await currentPassphrase(place, deps.streams)
  tell(deps, createInKeystore(place.file, passphrase, { name, scheme, now: Date.now() }), place.file)
}

/** `keys import`: an existing key, from a private file, a variable, a pipe, or typed unseen. */
export const importKey = async (
  deps: KeysDeps,
  name: string,
  from: { readonly file?: string; readonly env?: string; readonly scheme?: Scheme },
): Promise<void> => {
  if (from.file !== undefined && from.env !== undefined) throw new UsageError('Give --file or --env, not both.')
  const place = placeOf(deps)
  refuseBesideSplit(place)
  const passphrase = await currentPassphrase(place, deps.streams)
  const { privateKey, scheme } = await readImported(deps, place, from)
  tell(deps, addToKeystore(place.file, passphrase, { name, privateKey, scheme, now: Date.now() }), place.file)
}

const readImported = async (
  { streams }: KeysDeps,
  place: Place,
  { file, env, scheme = 'secp256k1' }: { readonly file?: string; readonly env?: string; readonly scheme?: Scheme },
): Promise<{ readonly privateKey: string; readonly scheme: Scheme }> => {
  if (file !== undefined) {
    const text = said('--file', () => readPrivateFile(resolve(file)))
    return isKeystoreText(text) ? readExported(resolve(file), streams) : { privateKey: text, scheme }
  }
  if (env !== undefined) return { privateKey: said('--env', () => readVariable(env, place)), scheme }
  return { privateKey: await readHidden('Private key, 64 hex digits or an ed25519 pair', streams), scheme }
}

/** The one key of a file that `keys export` wrote; its passphrase is typed, or comes through a pipe. */
const readExported = async (
  file: string,
  streams: SecretStreams,
): Promise<{ readonly privateKey: string; readonly scheme: Scheme }> => {
  const [entry, ...more] = listKeystore(file)
  if (entry === undefined || more.length > 0)
    throw new UsageError(
      `${file} is a keystore of ${more.length + (entry === undefined ? 0 : 1)} keys; only one that keys export wrote is imported.`,
    )
  const passphrase = await readHidden(`Passphrase of ${file}`, streams)
  if (passphrase === '') throw new UsageError(`${file} has a passphrase of its own. ${HOW_TO_GIVE}`)
  return { privateKey: openExported(file, passphrase).read(entry.name), scheme: schemeOf(entry) }
}

const HOW_TO_GIVE =
  'It is the one that was typed when the key was exported, not that of the keystore: type it at a terminal, or give it through a pipe: causeway keys import <name> --file <path> < <file with the passphrase>'

const openExported = (file: string, passphrase: string): OpenKeystore => {
  try {
    return openKeystore(file, passphrase)
  } catch (error) {
    if (error instanceof KeystoreError) throw new UsageError(`${error.message} ${HOW_TO_GIVE}`)
    throw error
  }
}

/**
 * `keys export`: a copy of one key, sealed under a passphrase of its own. Somebody must sit there: the keystore's passphrase is typed even
 * where the configuration has it, and so is the address, so that no script and no slip takes a key away.
 */
export const exportKey = async (deps: KeysDeps, name: string, { out }: { readonly out: string }): Promise<void> => {
  const { streams } = deps
  const place = placeOf(deps)
  if (streams.input.isTTY !== true)
    throw new UsageError('A key is exported at a terminal, by somebody who types its passphrase: this is none.')
  const file = resolve(out)
  if (existsSync(file)) throw new UsageError(`${file} is there already, and is not written over. Name another file.`)
  const entry = listKeystore(place.file).find((item) => item.name === name)
  if (entry === undefined)
    throw new UsageError(`${place.file} has no key "${name}". causeway keys list shows what there is.`)
  const passphrase = await askHidden('Passphrase of the keystore', streams)
  openKeystore(place.file, passphrase)
  streams.output.write(`Whoever has the file and its passphrase can sign as ${name}, ${entry.address}.\n`)
  if ((await askLine('Type that address to go on', streams)).trim() !== entry.address)
    throw new UsageError('That is another address. Nothing was written.')
  const own = await askHiddenTwice('Passphrase of the new file', streams)
  exportFromKeystore({ file: place.file, passphrase, name }, { file, passphrase: own })
  streams.output.write(
    `Wrote ${name} (${entry.address}) to ${file}, sealed. Another keystore takes it by: causeway keys import <name> --file ${file}\n`,
  )
}

/** `keys change-passphrase`: the keys stay, and are sealed anew. */
export const changePassphrase = async (
  deps: KeysDeps,
  to: { readonly newFile?: string; readonly newEnv?: string },
): Promise<void> => {
  const { streams, print } = deps
  const { newFile, newEnv } = to
  if (newFile !== undefined && newEnv !== undefined) throw new UsageError('Give --new-file or --new-env, not both.')
  const place = placeOf(deps)
  const current = await currentPassphrase(place, streams)
  const next =
    newFile !== undefined
      ? said('--new-file', () => readPrivateFile(resolve(newFile)))
      : newEnv !== undefined
        ? said('--new-env', () => readVariable(newEnv, place))
        : await askHiddenTwice('New passphrase', streams)
  changeKeystorePassphrase(place.file, current, next)
  print(`${place.file} has its new passphrase. Put it where keys.keystore.passphrase of the configuration reads it.`)
}

interface ListedKey {
  readonly name: string
  readonly address: string | null
  readonly created: string | null
  readonly purposes: readonly string[]
}

/** `keys list`: names, addresses, and what the configuration uses each for; needs no passphrase. */
export const listKeys = (deps: KeysDeps, json: boolean): void => {
  const { file } = placeOf(deps)
  const entries = existsSync(file) ? listKeystore(file) : []
  const used = configuredKeys(deps.loaded.config).flatMap(({ purpose, reference }) =>
    reference.keystore === undefined ? [] : [{ purpose, name: reference.keystore }],
  )
  const purposesOf = (name: string) => used.filter((item) => item.name === name).map(({ purpose }) => purpose)
  const missing = [...new Set(used.map(({ name }) => name))].filter(
    (name) => !entries.some((item) => item.name === name),
  )
  const keys: readonly ListedKey[] = [
    ...entries.map((entry) => ({ ...entry, purposes: purposesOf(entry.name) })),
    ...missing.map((name) => ({ name, address: null, created: null, purposes: purposesOf(name) })),
  ]
  const lines = json ? [JSON.stringify({ schemaVersion: 1, keystore: file, keys }, null, 2)] : listText(keys)
  for (const line of lines) deps.print(line)
}

const listText = (keys: readonly ListedKey[]): readonly string[] => {
  const rows = [
    ['name', 'address', 'created', 'used for'],
    ...keys.map(({ name, address, created, purposes }) => [
      name,
      address ?? 'missing',
      created?.slice(0, 10) ?? '-',
      purposes.join(', ') || 'nothing',
    ]),
  ]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
