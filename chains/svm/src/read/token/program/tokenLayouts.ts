import { PublicKey } from '@solana/web3.js'

/** Bytes of a mint and of a token account, each without extensions. */
export const MINT_SIZE = 82
export const ACCOUNT_SIZE = 165
/** No mint and no token account has this size. */
const MULTISIG_SIZE = 355
const KEY_BYTES = 32

export const AccountState = { Uninitialized: 0, Initialized: 1, Frozen: 2 } as const

/** The byte behind the first 165 bytes of an account with extensions. */
const AccountKind = { Mint: 1, Account: 2 } as const

/** Numbers of the extensions of Token-2022 that this package reads or makes. */
export const ExtensionType = {
  TransferFeeConfig: 1,
  TransferFeeAmount: 2,
  DefaultAccountState: 6,
  ImmutableOwner: 7,
  NonTransferable: 9,
  NonTransferableAccount: 13,
  TransferHook: 14,
  TransferHookAccount: 15,
  MetadataPointer: 18,
  TokenMetadata: 19,
  PausableConfig: 26,
  PausableAccount: 27,
} as const

/** An extension whose size is fixed. */
export type SizedExtension = keyof typeof EXTENSION_BYTES

const EXTENSION_BYTES = {
  TransferFeeConfig: 108,
  TransferFeeAmount: 8,
  DefaultAccountState: 1,
  ImmutableOwner: 0,
  NonTransferable: 0,
  NonTransferableAccount: 0,
  TransferHook: 64,
  TransferHookAccount: 1,
  MetadataPointer: 64,
  PausableAccount: 0,
} as const satisfies Partial<Record<keyof typeof ExtensionType, number>>

const ENTRY_HEAD_BYTES = 4

/** Bytes of a token account with these extensions. */
export const accountBytes = (extensions: readonly SizedExtension[]): number => bytesWith(ACCOUNT_SIZE, extensions)

/** Bytes of a mint with these extensions. */
export const mintBytes = (extensions: readonly SizedExtension[]): number => bytesWith(MINT_SIZE, extensions)

const bytesWith = (plain: number, extensions: readonly SizedExtension[]): number => {
  if (extensions.length === 0) return plain
  const entries = extensions.reduce((sum, name) => sum + ENTRY_HEAD_BYTES + EXTENSION_BYTES[name], 0)
  const bytes = ACCOUNT_SIZE + 1 + entries
  return bytes === MULTISIG_SIZE ? bytes + 2 : bytes
}

/** A mint as its program stores it. */
export interface Mint {
  readonly decimals: number
  readonly isInitialized: boolean
  /** The value of an extension; null when the mint does not have it. */
  extension(name: keyof typeof ExtensionType): Buffer | null
}

/** Reads the data of an account of a token program; null when it is no mint. */
export const decodeMint = (data: Buffer): Mint | null => {
  const extensions = extensionsOf(data, { plain: MINT_SIZE, kind: AccountKind.Mint })
  if (extensions === null) return null
  return {
    decimals: data.readUInt8(44),
    isInitialized: data.readUInt8(45) !== 0,
    extension: (name) => entryIn(extensions, name),
  }
}

/** A token account as its program stores it. */
export interface TokenAccountData {
  readonly mint: PublicKey
  readonly owner: PublicKey
  readonly amount: bigint
  /** One of `AccountState`. */
  readonly state: number
  readonly delegate: PublicKey | null
  readonly closeAuthority: PublicKey | null
  /** The value of an extension; null when the account does not have it. */
  extension(name: keyof typeof ExtensionType): Buffer | null
}

/** Reads the data of an account of a token program; null when it is no token account. */
export const decodeAccount = (data: Buffer): TokenAccountData | null => {
  const extensions = extensionsOf(data, { plain: ACCOUNT_SIZE, kind: AccountKind.Account })
  if (extensions === null) return null
  return {
    mint: keyAt(data, 0),
    owner: keyAt(data, 32),
    amount: data.readBigUInt64LE(64),
    delegate: optionalKeyAt(data, 72),
    state: data.readUInt8(108),
    closeAuthority: optionalKeyAt(data, 129),
    extension: (name) => entryIn(extensions, name),
  }
}

/** The entries of the extensions; null when the size or the kind is another one's. */
const extensionsOf = (data: Buffer, { plain, kind }: { plain: number; kind: number }): Buffer | null => {
  if (data.length < plain || data.length === MULTISIG_SIZE) return null
  if (data.length === plain) return Buffer.alloc(0)
  return data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] === kind ? data.subarray(ACCOUNT_SIZE + 1) : null
}

const entryIn = (entries: Buffer, name: keyof typeof ExtensionType): Buffer | null => {
  for (let at = 0; at + ENTRY_HEAD_BYTES <= entries.length; ) {
    const value = at + ENTRY_HEAD_BYTES
    const end = value + entries.readUInt16LE(at + 2)
    if (entries.readUInt16LE(at) === ExtensionType[name]) return entries.subarray(value, end)
    at = end
  }
  return null
}

export interface EpochFee {
  readonly bps: number
  readonly maximum: bigint
}

/** The fee of an epoch in the value of `TransferFeeConfig`. The newer fee of the two counts from its epoch on. */
export const feeInEpoch = (config: Buffer, epoch: bigint): EpochFee => {
  const [older, newer] = [72, 90]
  const at = epoch >= config.readBigUInt64LE(newer) ? newer : older
  return { maximum: config.readBigUInt64LE(at + 8), bps: config.readUInt16LE(at + 16) }
}

/** The program in the value of `TransferHook`. */
export const hookProgramIn = (value: Buffer): PublicKey => keyAt(value, KEY_BYTES)

const keyAt = (data: Buffer, at: number): PublicKey => new PublicKey(data.subarray(at, at + KEY_BYTES))

const optionalKeyAt = (data: Buffer, at: number): PublicKey | null =>
  data.readUInt32LE(at) === 0 ? null : keyAt(data, at + 4)
