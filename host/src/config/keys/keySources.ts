import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EnvironmentVariables } from '@causeway/core'
import {
  type KeystoreEntry,
  KeystoreError,
  listKeystore,
  type OpenKeystore,
  openKeystore,
  WrongPassphraseError,
} from '@causeway/core/host'
import type { HostConfig, KeyReference } from '../schema/schema.js'
import { splitBeside } from './splitKeystores.js'

/** What names are looked up in. */
export interface SecretPlace {
  /** Folder that file names are relative to. */
  readonly folder: string
  readonly environment: EnvironmentVariables
}

/** A secret cannot be read; message and remedy never hold it. */
export class UnreadableKey extends Error {
  constructor(
    message: string,
    readonly remedy: string,
    /** Place in the configuration, where it is not that of the key. */
    readonly path?: string,
    /** It is not there, or not for this process; otherwise something is wrong with what is there. */
    readonly absent = false,
  ) {
    super(message)
  }
}

/** Text of a file only its owner can read, without the white space around it. @throws UnreadableKey */
export const readPrivateFile = (file: string): string => {
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new UnreadableKey(`is in ${file}, which others can read.`, `Run: chmod 600 ${file}`)
    }
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof UnreadableKey) throw error
    throw new UnreadableKey(`names ${file}, which cannot be read.`, 'Create it, or correct the name.', undefined, true)
  }
}

/** @throws UnreadableKey */
export const readVariable = (name: string, { environment }: SecretPlace): string => {
  const value = environment[name]
  if (value === undefined || value === '')
    throw new UnreadableKey(`names the environment variable ${name}, which is not set.`, 'Set it.', undefined, true)
  return value
}

const fieldOf = (file: string, text: string, field: string): string => {
  let value: unknown
  try {
    value = Reflect.get(Object(JSON.parse(text)), field)
  } catch {
    throw new UnreadableKey(
      `names ${file}, which is not JSON.`,
      'Leave "field" out for a file that holds the key alone.',
    )
  }
  if (typeof value !== 'string') throw new UnreadableKey(`names the field "${field}", which ${file} lacks.`, 'Add it.')
  return value
}

/** The key a reference names, as it was written. @throws UnreadableKey */
export const readKeyReference = (reference: KeyReference, place: SecretPlace, keystore: ConfiguredKeystore): string => {
  const { env, file, field, keystore: name } = reference
  if ([env, file, name].filter((way) => way !== undefined).length !== 1) {
    throw new UnreadableKey('must name exactly one of "env", "file" and "keystore".', 'Remove the others.')
  }
  if (name !== undefined) return keystore.read(name)
  if (file === undefined) return readVariable(env ?? '', place)
  const path = resolve(place.folder, file)
  const text = readPrivateFile(path)
  return field === undefined ? text : fieldOf(path, text, field)
}

type KeystoreSettings = NonNullable<HostConfig['keys']['keystore']>

/** The passphrase of the configured keystore. @throws UnreadableKey */
export const readPassphrase = ({ passphrase: { env, file } }: KeystoreSettings, place: SecretPlace): string => {
  if ((env === undefined) === (file === undefined))
    throw new UnreadableKey('must name exactly one of "env" and "file".', 'Remove one of them.')
  return file === undefined ? readVariable(env ?? '', place) : readPrivateFile(resolve(place.folder, file))
}

/** The keystore of a configuration, opened when a key of it is first needed; what is wrong with it is said once. */
export class ConfiguredKeystore {
  readonly #settings: KeystoreSettings | undefined
  readonly #place: SecretPlace
  #opened: OpenKeystore | UnreadableKey | null = null

  constructor(settings: KeystoreSettings | undefined, place: SecretPlace) {
    this.#settings = settings
    this.#place = place
  }

  /** @throws UnreadableKey */
  read(name: string): string {
    this.#opened ??= this.#open()
    if (this.#opened instanceof UnreadableKey) throw this.#opened
    try {
      return this.#opened.read(name)
    } catch (error) {
      if (!(error instanceof KeystoreError)) throw error
      const absent = !this.held().some((entry) => entry.name === name)
      throw new UnreadableKey(
        `cannot be had: ${error.message}`,
        'causeway keys list shows what there is.',
        undefined,
        absent,
      )
    }
  }

  /** What lies in it, where this process has opened it. */
  held(): readonly KeystoreEntry[] {
    if (this.#settings === undefined || this.#opened === null || this.#opened instanceof UnreadableKey) return []
    return listKeystore(resolve(this.#place.folder, this.#settings.file))
  }

  #open(): OpenKeystore | UnreadableKey {
    if (this.#settings === undefined)
      return new UnreadableKey(
        'is missing, and a key is said to be in it.',
        'Name its file and its passphrase.',
        'keys.keystore',
      )
    const { file } = this.#settings
    if (!existsSync(resolve(this.#place.folder, file))) {
      const message = `names ${file}, which is not there.`
      const there = splitBeside(resolve(this.#place.folder, file), this.#place.folder)
      return new UnreadableKey(
        message,
        there.length === 0
          ? 'Name the one of this process in KEYSTORE_FILE, or make it with "causeway keys new".'
          : `Name the one of this process in KEYSTORE_FILE; there are ${there.join(', ')}.`,
        'keys.keystore',
        true,
      )
    }
    try {
      return openKeystore(resolve(this.#place.folder, file), readPassphrase(this.#settings, this.#place))
    } catch (error) {
      if (error instanceof UnreadableKey)
        return new UnreadableKey(error.message, error.remedy, 'keys.keystore.passphrase', error.absent)
      if (!(error instanceof KeystoreError)) throw error
      return new UnreadableKey(`cannot be used: ${error.message}`, this.#remedyOf(error), 'keys.keystore')
    }
  }

  #remedyOf(error: KeystoreError): string {
    if (!(error instanceof WrongPassphraseError)) return 'Where nothing else helps, put a backup of it back.'
    const { env, file } = this.#settings?.passphrase ?? {}
    return `Give this process the passphrase of that keystore in ${env === undefined ? file : `the variable ${env}`}; after "keys split --new-env" or "keys change-passphrase" each keystore may have its own.`
  }
}
