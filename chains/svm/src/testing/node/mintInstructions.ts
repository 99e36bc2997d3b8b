import type { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { signingKey, tokenInstruction, u64, writableKey } from '../../read/token/program/tokenInstructions.js'
import { TOKEN_2022_PROGRAM_ID } from '../../read/token/program/tokenPrograms.js'

/** First byte of the data of an instruction. */
const Code = {
  mintTo: 7,
  initializeMint2: 20,
  transferFee: 26,
  defaultAccountState: 28,
  nonTransferable: 32,
  transferHook: 36,
  metadataPointer: 39,
} as const
/** Second byte, of extensions: initialise. */
const INITIALIZE = 0

const optional = (key: PublicKey | null): Buffer =>
  key === null ? Buffer.from([0]) : Buffer.concat([Buffer.from([1]), key.toBuffer()])

export interface NewMint {
  readonly mint: PublicKey
  readonly decimals: number
  readonly authority: PublicKey
  /** Null: no account of the token can be frozen. */
  readonly freezer: PublicKey | null
  readonly program: PublicKey
}

/** Makes a mint of an account that exists. Extensions are initialised before. */
export const initializeMint = ({ mint, decimals, authority, freezer, program }: NewMint): TransactionInstruction =>
  tokenInstruction(
    [writableKey(mint)],
    [Code.initializeMint2, decimals, authority.toBuffer(), optional(freezer)],
    program,
  )

export interface Minting {
  readonly mint: PublicKey
  readonly account: PublicKey
  readonly authority: PublicKey
  readonly amount: bigint
  readonly program: PublicKey
}

export const mintTo = ({ mint, account, authority, amount, program }: Minting): TransactionInstruction =>
  tokenInstruction(
    [writableKey(mint), writableKey(account), signingKey(authority)],
    [Code.mintTo, u64(amount)],
    program,
  )

const initializeExtension = (mint: PublicKey, ...data: readonly (number | Buffer)[]): TransactionInstruction =>
  tokenInstruction([writableKey(mint)], data, TOKEN_2022_PROGRAM_ID)

export interface FeeSettings {
  readonly configAuthority: PublicKey
  readonly withdrawAuthority: PublicKey
  readonly bps: number
  readonly maximum: bigint
}

export const initializeTransferFee = (mint: PublicKey, fee: FeeSettings): TransactionInstruction => {
  const bps = Buffer.alloc(2)
  bps.writeUInt16LE(fee.bps)
  const authorities = [optional(fee.configAuthority), optional(fee.withdrawAuthority)]
  return initializeExtension(mint, Code.transferFee, INITIALIZE, ...authorities, bps, u64(fee.maximum))
}

export const initializeTransferHook = (mint: PublicKey, authority: PublicKey, hook: PublicKey) =>
  initializeExtension(mint, Code.transferHook, INITIALIZE, authority.toBuffer(), hook.toBuffer())

/** `state`: that of new token accounts, one of `AccountState`. */
export const initializeDefaultState = (mint: PublicKey, state: number) =>
  initializeExtension(mint, Code.defaultAccountState, INITIALIZE, state)

export const initializeNonTransferable = (mint: PublicKey) => initializeExtension(mint, Code.nonTransferable)

/** `metadata`: the account that describes the token; it may be the mint. */
export const initializeMetadataPointer = (mint: PublicKey, authority: PublicKey, metadata: PublicKey) =>
  initializeExtension(mint, Code.metadataPointer, INITIALIZE, authority.toBuffer(), metadata.toBuffer())
