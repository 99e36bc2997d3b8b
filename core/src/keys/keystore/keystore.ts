import { randomBytes } from 'node:crypto'
import type { Signer } from '../../chain/signer.js'
import type { Hex } from '../../money/hex.js'
import { bytesToHex } from '../../order/hexBytes.js'
import { orderSignerAddress } from '../../order/orderSignature.js'
import { ed25519Address } from '../ed25519Signer.js'
import { parsePrivateKey } from '../privateKeyText.js'
import { createSecp256k1Signer } from '../secp256k1Signer.js'
import { CHECK_BINDING, deriveKeystoreKey, entryBinding, seal, unseal } from './keystoreCipher.js'
import { changeKeystoreFile, readKeystoreFile } from './keystoreFile.js'
import {
  checkKeyName,
  formatKeystore,
  KEYSTORE_FORMAT,
  KEYSTORE_KDF,
  KEYSTORE_VERSION,
  type KeystoreDocument,
  type KeystoreEntry,
  KeystoreError,
  parseKeystore,
  type SealedEntry,
  WrongPassphraseError,
} from './keystoreFormat.js'

const LEAST_PASSPHRASE = 12

/** A document and the key its passphrase gives. */
interface Unlocked {
  readonly document: KeystoreDocument
  readonly key: Buffer
}

/** A keystore whose passphrase was right. Keys are unsealed one by one, as they are asked for. */
export interface OpenKeystore {
  /** The private key of that name. @throws KeystoreError */
  read(name: string): Hex
}

/** An address of an ed25519 key is base58, of a secp256k1 key hex. */
export const schemeOf = ({ address }: Pick<KeystoreEntry, 'address'>): Signer['scheme'] =>
  address.startsWith('0x') ? 'secp256k1' : 'ed25519'

const addressOf = (secret: Uint8Array, scheme: Signer['scheme']): string =>
  scheme === 'ed25519' ? ed25519Address(secret) : orderSignerAddress(secret)

const readKey = (file: string, { document, key }: Unlocked, name: string): Hex => {
  const entry = document.entries.find((item) => item.name === name)
  if (entry === undefined) throw new KeystoreError(`${file} has no key "${name}".`)
  const secret = unseal(key, entryBinding(entry), entry)
  if (secret === null || addressOf(secret, schemeOf(entry)) !== entry.address)
    throw new KeystoreError(`The entry "${name}" of ${file} was changed or belongs to another name. Put a backup back.`)
  return bytesToHex(secret)
}

const parse = (file: string, text: string): KeystoreDocument => {
  try {
    return parseKeystore(text)
  } catch (error) {
    if (error instanceof KeystoreError) throw new KeystoreError(`${file} ${error.message}`)
    throw error
  }
}

const unlock = (file: string, text: string, passphrase: string): Unlocked => {
  const document = parse(file, text)
  const key = deriveKeystoreKey(passphrase, document.kdf.salt)
  if (unseal(key, CHECK_BINDING, document.check) === null)
    throw new WrongPassphraseError(`The passphrase of ${file} is wrong, or the head of the file was changed.`)
  return { document, key }
}

/** What a keystore holds, without its passphrase. @throws KeystoreError */
export const listKeystore = (file: string): readonly KeystoreEntry[] =>
  parse(file, readKeystoreFile(file)).entries.map(({ name, address, created }) => ({ name, address, created }))

/** Opens a keystore to read keys from it. @throws KeystoreError: unreadable, wrong passphrase, changed */
export const openKeystore = (file: string, passphrase: string): OpenKeystore => {
  const unlocked = unlock(file, readKeystoreFile(file), passphrase)
  return { read: (name) => readKey(file, unlocked, name) }
}

/** A keystore without keys. @throws KeystoreError for a passphrase that is guessed too easily */
const createEmpty = (passphrase: string): Unlocked => {
  if ([...passphrase].length < LEAST_PASSPHRASE)
    throw new KeystoreError(`A passphrase has at least ${LEAST_PASSPHRASE} characters.`)
  const salt = randomBytes(32).toString('hex')
  const key = deriveKeystoreKey(passphrase, salt)
  const check = seal(key, CHECK_BINDING, new Uint8Array())
  const kdf = { ...KEYSTORE_KDF, salt }
  return { document: { format: KEYSTORE_FORMAT, version: KEYSTORE_VERSION, kdf, check, entries: [] }, key }
}

const sealEntry = (key: Buffer, entry: KeystoreEntry, privateKey: string): SealedEntry => ({
  ...entry,
  ...seal(key, entryBinding(entry), parsePrivateKey(privateKey)),
})

/**
 * Adds a key under a new name and makes the file where there is none; returns what anybody may know of it.
 * @throws KeystoreError, or InvalidKeyError without the key's text
 */
export const addToKeystore = (
  file: string,
  passphrase: string,
  added: {
    readonly name: string
    readonly privateKey: string
    readonly now: number
    /** Kind of key; secp256k1 unless the chain signs otherwise. */
    readonly scheme?: Signer['scheme']
  },
): KeystoreEntry => {
  const scheme = added.scheme ?? 'secp256k1'
  const address = addressOf(checkedKey(added.privateKey, scheme), scheme)
  const entry = { name: checkKeyName(added.name), address, created: new Date(added.now).toISOString() }
  changeKeystoreFile(file, (text) => {
    const { document, key } = text === null ? createEmpty(passphrase) : unlock(file, text, passphrase)
    const same = document.entries.find((item) => item.name === entry.name || item.address === address)
    if (same !== undefined) throw new KeystoreError(`${file} has the key "${same.name}" (${same.address}) already.`)
    return formatKeystore({ ...document, entries: [...document.entries, sealEntry(key, entry, added.privateKey)] })
  })
  return entry
}

/** @throws InvalidKeyError without the text */
const checkedKey = (text: string, scheme: Signer['scheme']): Uint8Array => {
  if (scheme === 'secp256k1') createSecp256k1Signer(text)
  return parsePrivateKey(text)
}

/** Gives a key another name, which no key has yet. @throws KeystoreError; the file is as before then */
export const renameInKeystore = (
  file: string,
  passphrase: string,
  { name, to }: { readonly name: string; readonly to: string },
): void => {
  const next = checkKeyName(to)
  changeKeystoreFile(file, (text) => {
    const unlocked = unlock(file, text ?? '', passphrase)
    const { document, key } = unlocked
    if (document.entries.some((item) => item.name === next))
      throw new KeystoreError(`${file} has a key "${next}" already.`)
    const secret = readKey(file, unlocked, name)
    const entries = document.entries.map((entry) =>
      entry.name === name
        ? sealEntry(key, { name: next, address: entry.address, created: entry.created }, secret)
        : entry,
    )
    return formatKeystore({ ...document, entries })
  })
}

/** A new random key under a new name; the key itself is never shown. @throws KeystoreError */
export const createInKeystore = (
  file: string,
  passphrase: string,
  made: { readonly name: string; readonly now: number; readonly scheme?: Signer['scheme'] },
): KeystoreEntry => addToKeystore(file, passphrase, { ...made, privateKey: randomBytes(32).toString('hex') })

/**
 * A new keystore with random keys, its passphrase worked out once for all of them; opened, and what anybody may know of it.
 * @throws KeystoreError; nothing is written then
 */
export const createKeystore = (
  file: string,
  passphrase: string,
  made: readonly { readonly name: string; readonly scheme: Signer['scheme'] }[],
  now: number,
): { readonly entries: readonly KeystoreEntry[]; readonly opened: OpenKeystore } => {
  const { document, key } = createEmpty(passphrase)
  const entries = made.map(({ name, scheme }) => {
    const privateKey = randomBytes(32).toString('hex')
    const address = addressOf(checkedKey(privateKey, scheme), scheme)
    return sealEntry(key, { name: checkKeyName(name), address, created: new Date(now).toISOString() }, privateKey)
  })
  const unlocked = { document: { ...document, entries }, key }
  changeKeystoreFile(file, (text) => {
    if (text !== null) throw new KeystoreError(`${file} is there already.`)
    return formatKeystore(unlocked.document)
  })
  const known = entries.map(({ name, address, created }) => ({ name, address, created }))
  return { entries: known, opened: { read: (name) => readKey(file, unlocked, name) } }
}

/** A keystore that is to be made of some keys of another one. */
export interface KeystorePart {
  readonly file: string
  readonly passphrase: string
  readonly names: readonly string[]
}

/**
 * Writes new keystores of some keys of one, each sealed under its own passphrase; the one is left as it is, and returned opened. Keys are
 * never outside of memory unsealed. @throws KeystoreError; nothing is written when a key or a passphrase is not as it should be
 */
export const divideKeystore = (
  from: { readonly file: string; readonly passphrase: string },
  parts: readonly KeystorePart[],
): OpenKeystore => {
  const unlocked = unlock(from.file, readKeystoreFile(from.file), from.passphrase)
  const made = parts.map(({ file, passphrase, names }) => {
    const { document, key } = createEmpty(passphrase)
    const entries = names.map((name) => {
      const secret = readKey(from.file, unlocked, name)
      const { address = '', created = '' } = unlocked.document.entries.find((item) => item.name === name) ?? {}
      return sealEntry(key, { name, address, created }, secret)
    })
    return { file, text: formatKeystore({ ...document, entries }) }
  })
  for (const { file, text: written } of made)
    changeKeystoreFile(file, (text) => {
      if (text !== null) throw new KeystoreError(`${file} is there already, and is not written over.`)
      return written
    })
  return { read: (name) => readKey(from.file, unlocked, name) }
}

/**
 * Writes one key into a new keystore of its own, sealed under its own passphrase; returns what anybody may know of it.
 * @throws KeystoreError; nothing is written then
 */
export const exportFromKeystore = (
  from: { readonly file: string; readonly passphrase: string; readonly name: string },
  to: { readonly file: string; readonly passphrase: string },
): KeystoreEntry => {
  const entry = listKeystore(from.file).find((item) => item.name === from.name)
  if (entry === undefined) throw new KeystoreError(`${from.file} has no key "${from.name}".`)
  divideKeystore(from, [{ ...to, names: [from.name] }])
  return entry
}

/** Seals every key under another passphrase. @throws KeystoreError; the file is as before then */
export const changeKeystorePassphrase = (file: string, from: string, to: string): void => {
  readKeystoreFile(file)
  changeKeystoreFile(file, (text) => {
    const old = unlock(file, text ?? '', from)
    const { document, key } = createEmpty(to)
    const entries = old.document.entries.map(({ name, address, created }) =>
      sealEntry(key, { name, address, created }, readKey(file, old, name)),
    )
    return formatKeystore({ ...document, entries })
  })
}
