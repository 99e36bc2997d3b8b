import { hexDigits, hexToBytes, listAt, textAt, UnreadableQuoteError, valueAt } from '@causeway/core/verify'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  programAddress,
  SYSTEM_PROGRAM,
  tokenAccountOf,
} from './programAddress.js'

export interface SvmAccount {
  readonly pubkey: string
  readonly isSigner: boolean
  readonly isWritable: boolean
}

/** An instruction as the user's wallet gets it (wire.md A.5 svm); data as hex digits. */
export interface SvmInstruction {
  readonly programId: string
  readonly keys: readonly SvmAccount[]
  readonly data: string
}

/** @throws UnreadableQuoteError */
export const readInstructions = (data: unknown): readonly SvmInstruction[] =>
  listAt(data, 'instructions').map((instruction) => ({
    programId: textAt(instruction, 'programId'),
    data: textAt(instruction, 'data').toLowerCase(),
    keys: listAt(instruction, 'keys').map((key) => ({
      pubkey: textAt(key, 'pubkey'),
      isSigner: flagAt(key, 'isSigner'),
      isWritable: flagAt(key, 'isWritable'),
    })),
  }))

const flagAt = (value: unknown, path: string): boolean => {
  const flag = valueAt(value, path)
  if (typeof flag !== 'boolean') throw new UnreadableQuoteError(`${path} is no flag`)
  return flag
}

const account = (form: string, pubkey: string): SvmAccount => ({
  pubkey,
  isSigner: form.includes('s'),
  isWritable: form.includes('w'),
})

const littleEndian = (value: bigint, bytes: number): string =>
  Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 255n))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

const textDigits = (text: string): string => hexDigits(new TextEncoder().encode(text))

/** A text that anyone may read of the transaction. */
export const memo = (text: string): SvmInstruction => ({ programId: MEMO_PROGRAM, keys: [], data: textDigits(text) })

export const nativeTransfer = (from: string, to: string, lamports: bigint): SvmInstruction => ({
  programId: SYSTEM_PROGRAM,
  keys: [account('sw', from), account('w', to)],
  data: `02000000${littleEndian(lamports, 8)}`,
})

export interface SvmToken {
  readonly mint: string
  readonly program: string
  readonly decimals: number
}

/** Opens the owner's account of a token where there is none, at the cost of `payer`. */
export const openTokenAccount = (payer: string, owner: string, { mint, program }: SvmToken): SvmInstruction => ({
  programId: ASSOCIATED_TOKEN_PROGRAM,
  keys: [
    account('sw', payer),
    account('w', tokenAccountOf(owner, mint, program)),
    account('', owner),
    account('', mint),
    account('', SYSTEM_PROGRAM),
    account('', program),
  ],
  data: '01',
})

/** Moves tokens between the associated accounts of two owners. A mint with a transfer hook needs more accounts behind these. */
export const tokenTransfer = (
  from: string,
  to: string,
  { token, amount }: { token: SvmToken; amount: bigint },
): SvmInstruction => ({
  programId: token.program,
  keys: [
    account('w', tokenAccountOf(from, token.mint, token.program)),
    account('', token.mint),
    account('w', tokenAccountOf(to, token.mint, token.program)),
    account('s', from),
  ],
  data: `0c${littleEndian(amount, 8)}${littleEndian(BigInt(token.decimals), 1)}`,
})

/** First eight bytes of the depository program's deposit instructions (chains.md, Depository program). */
const DEPOSIT_NATIVE = '0d9e0ddf5fd51c06'
const DEPOSIT_TOKEN = '0b9c60da27a3b413'

/** Account of the depository program that holds deposits. */
export const vaultOf = (program: string): string => programAddress(program, new TextEncoder().encode('vault'))

export interface ProgramDeposit {
  readonly program: string
  readonly sender: string
  readonly amount: bigint
  readonly orderId: string
  /** Null: the native currency. */
  readonly token: SvmToken | null
}

/** Deposit by the depository program; the order id is bytes 16 to 48 of its data. */
export const programDeposit = ({ program, sender, amount, orderId, token }: ProgramDeposit): SvmInstruction => {
  const state = account('', programAddress(program, new TextEncoder().encode('relay_depository')))
  const vault = vaultOf(program)
  const terms = `${littleEndian(amount, 8)}${hexDigits(hexToBytes(orderId, 'order id', 32))}`
  const begin = [state, account('sw', sender), account('', sender)]
  if (token === null) {
    const keys = [...begin, account('w', vault), account('', SYSTEM_PROGRAM)]
    return { programId: program, keys, data: DEPOSIT_NATIVE + terms }
  }
  const keys = [
    ...begin,
    account('', vault),
    account('', token.mint),
    account('w', tokenAccountOf(sender, token.mint, token.program)),
    account('w', tokenAccountOf(vault, token.mint, token.program)),
    account('', token.program),
    account('', ASSOCIATED_TOKEN_PROGRAM),
    account('', SYSTEM_PROGRAM),
  ]
  return { programId: program, keys, data: DEPOSIT_TOKEN + terms }
}
