import { type AccountMeta, type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import {
  ASSOCIATED_TOKEN_PROGRAM_ID,
  associatedAddress,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from './tokenPrograms.js'

/** First byte of the data of an instruction of both token programs. */
const Code = {
  transfer: 3,
  approve: 4,
  closeAccount: 9,
  transferChecked: 12,
  syncNative: 17,
  initializeAccount3: 18,
  transferFee: 26,
} as const

const HARVEST_WITHHELD = 4
const CREATE_IDEMPOTENT = 1

interface OfProgram {
  /** Default: the first token program. */
  readonly program?: PublicKey
}

export const plainKey = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: false })
export const writableKey = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: true })
export const signingKey = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: true, isWritable: false })

/** A number of eight bytes, the lowest first. */
export const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

export const tokenInstruction = (
  keys: AccountMeta[],
  data: readonly (number | Buffer)[],
  programId: PublicKey = TOKEN_PROGRAM_ID,
): TransactionInstruction =>
  new TransactionInstruction({
    programId,
    keys,
    data: Buffer.concat(data.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part))),
  })

export interface TransferChecked extends OfProgram {
  readonly source: PublicKey
  readonly mint: PublicKey
  readonly destination: PublicKey
  readonly owner: PublicKey
  readonly amount: bigint
  readonly decimals: number
}

/** Moves tokens; the program compares mint and decimals. */
export const transferChecked = (transfer: TransferChecked): TransactionInstruction => {
  const { source, mint, destination, owner, amount, decimals, program } = transfer
  const keys = [writableKey(source), plainKey(mint), writableKey(destination), signingKey(owner)]
  return tokenInstruction(keys, [Code.transferChecked, u64(amount), decimals], program)
}

interface Transfer extends OfProgram {
  readonly source: PublicKey
  readonly destination: PublicKey
  readonly owner: PublicKey
  readonly amount: bigint
}

/** Moves tokens of a mint without extensions. */
export const transfer = ({ source, destination, owner, amount, program }: Transfer): TransactionInstruction =>
  tokenInstruction(
    [writableKey(source), writableKey(destination), signingKey(owner)],
    [Code.transfer, u64(amount)],
    program,
  )

interface Approval extends OfProgram {
  readonly account: PublicKey
  readonly delegate: PublicKey
  readonly owner: PublicKey
  readonly amount: bigint
}

/** Lets a delegate move tokens of an account. */
export const approve = ({ account, delegate, owner, amount, program }: Approval): TransactionInstruction =>
  tokenInstruction([writableKey(account), plainKey(delegate), signingKey(owner)], [Code.approve, u64(amount)], program)

interface Closing extends OfProgram {
  readonly account: PublicKey
  /** Receives all lamports of the account. */
  readonly destination: PublicKey
  readonly owner: PublicKey
}

/** Closes an account without tokens, or one of wrapped lamports. */
export const closeAccount = ({ account, destination, owner, program }: Closing): TransactionInstruction =>
  tokenInstruction([writableKey(account), writableKey(destination), signingKey(owner)], [Code.closeAccount], program)

/** Counts the lamports of a wrapped account as tokens. */
export const syncNative = (account: PublicKey): TransactionInstruction =>
  tokenInstruction([writableKey(account)], [Code.syncNative])

interface NewAccount extends OfProgram {
  readonly account: PublicKey
  readonly mint: PublicKey
  readonly owner: PublicKey
}

/** Makes a token account of an account that exists and has the right size. */
export const initializeAccount = ({ account, mint, owner, program }: NewAccount): TransactionInstruction =>
  tokenInstruction([writableKey(account), plainKey(mint)], [Code.initializeAccount3, owner.toBuffer()], program)

interface NewAssociated extends OfProgram {
  readonly payer: PublicKey
  readonly owner: PublicKey
  readonly mint: PublicKey
}

/** Creates the associated token account of an owner, or does nothing when the owner has it. */
export const createAssociated = ({ payer, owner, mint, program = TOKEN_PROGRAM_ID }: NewAssociated) =>
  tokenInstruction(
    [
      { pubkey: payer, isSigner: true, isWritable: true },
      writableKey(associatedAddress(mint, owner, program)),
      plainKey(owner),
      plainKey(mint),
      plainKey(SystemProgram.programId),
      plainKey(program),
    ],
    [CREATE_IDEMPOTENT],
    ASSOCIATED_TOKEN_PROGRAM_ID,
  )

/** Moves the fees that accounts withhold to their mint (Token-2022). */
export const harvestWithheld = (mint: PublicKey, accounts: readonly PublicKey[]): TransactionInstruction =>
  tokenInstruction([mint, ...accounts].map(writableKey), [Code.transferFee, HARVEST_WITHHELD], TOKEN_2022_PROGRAM_ID)
