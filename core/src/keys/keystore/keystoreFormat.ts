/** What anybody may know of a key in a keystore. */
export interface KeystoreEntry {
  readonly name: string
  /** Of a secp256k1 key the lower-case hex address of its account on EVM chains, of an ed25519 key the public key in base58. */
  readonly address: string
  /** ISO 8601, UTC. */
  readonly created: string
}

/** AES-256-GCM; all hex without `0x`. */
export interface SealedText {
  readonly nonce: string
  readonly ciphertext: string
  readonly tag: string
}

export interface SealedEntry extends KeystoreEntry, SealedText {}

/**
 * A keystore file, version 1: one scrypt salt for all (N 2^17, r 8, p 1), an empty text sealed under the derived key to tell a
 * wrong passphrase from a changed entry, and the keys, each sealed with its own nonce and its public facts as associated data.
 */
export interface KeystoreDocument {
  readonly format: typeof KEYSTORE_FORMAT
  readonly version: typeof KEYSTORE_VERSION
  readonly kdf: {
    readonly name: 'scrypt'
    readonly n: number
    readonly r: number
    readonly p: number
    readonly salt: string
  }
  readonly check: SealedText
  readonly entries: readonly SealedEntry[]
}

export const KEYSTORE_FORMAT = 'causeway-keystore'
export const KEYSTORE_VERSION = 1
/** Fixed by the version, so that no file makes this process work without end, or too little. */
export const KEYSTORE_KDF = { name: 'scrypt', n: 131_072, r: 8, p: 1 } as const

/** A keystore cannot be used or changed as asked. The message is for the operator and never holds a key or a passphrase. */
export class KeystoreError extends Error {
  override readonly name = 'KeystoreError'
}

/** The keystore does not open with the passphrase given. */
export class WrongPassphraseError extends KeystoreError {}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i

/** Letters, digits, dot, dash and underscore. @throws KeystoreError */
export const checkKeyName = (name: string): string => {
  if (NAME.test(name)) return name
  throw new KeystoreError('A key is named with 1 to 63 letters, digits, dots, dashes and underscores.')
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isHex = (value: unknown, bytes: number): boolean =>
  typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value)

const isSealed = (value: unknown, bytes: number): boolean =>
  isRecord(value) && isHex(value.nonce, 12) && isHex(value.ciphertext, bytes) && isHex(value.tag, 16)

const isEntry = (value: unknown): boolean =>
  isRecord(value) &&
  isSealed(value, 32) &&
  typeof value.name === 'string' &&
  NAME.test(value.name) &&
  typeof value.address === 'string' &&
  /^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/.test(value.address) &&
  typeof value.created === 'string'

const isKdf = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(KEYSTORE_KDF).every(([name, fixed]) => value[name] === fixed) &&
  isHex(value.salt, 32)

/** Reads the text of a keystore file. @throws KeystoreError that says which kind of file it is not */
export const parseKeystore = (text: string): KeystoreDocument => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new KeystoreError('is not JSON: it was cut or changed. Put a backup back.')
  }
  if (!isRecord(value) || value.format !== KEYSTORE_FORMAT) throw new KeystoreError('is no keystore.')
  if (value.version !== KEYSTORE_VERSION)
    throw new KeystoreError(
      `is a keystore of version ${JSON.stringify(value.version)}; this build reads version ${KEYSTORE_VERSION}.`,
    )
  const { kdf, check, entries } = value
  if (!isKdf(kdf) || !isSealed(check, 0) || !Array.isArray(entries) || !entries.every(isEntry))
    throw new KeystoreError('is a damaged keystore: a field is missing or was changed. Put a backup back.')
  // CAST: every field was just checked.
  const document = value as unknown as KeystoreDocument
  if (new Set(document.entries.map(({ name }) => name)).size < document.entries.length)
    throw new KeystoreError('is a damaged keystore: a name is there twice. Put a backup back.')
  return document
}

/** Whether a text is a keystore rather than a bare key; says nothing of whether it can be read. */
export const isKeystoreText = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && value.format === KEYSTORE_FORMAT
  } catch {
    return false
  }
}

export const formatKeystore = (document: KeystoreDocument): string => `${JSON.stringify(document, null, 2)}\n`
