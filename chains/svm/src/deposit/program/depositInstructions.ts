import { type Hex, hexDigits, hexToBytes } from '@causeway/core'
import { type AccountMeta, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import type { MintInfo } from '../../read/token/mintInfo.js'
import { ASSOCIATED_TOKEN_PROGRAM_ID } from '../../read/token/program/tokenPrograms.js'
import { associatedTokenAddress } from '../../read/token/tokenAccounts.js'
import { programAddresses } from './programAddresses.js'

/** First eight bytes of the instructions' data. */
const DEPOSIT_NATIVE = Buffer.from('0d9e0ddf5fd51c06', 'hex')
const DEPOSIT_TOKEN = Buffer.from('0b9c60da27a3b413', 'hex')
const DATA_BYTES = 48

export interface ProgramDeposit {
  readonly program: string
  readonly sender: string
  /** Who gets the credit. */
  readonly depositor: string
  readonly amount: bigint
  readonly orderId: Hex
}

export const readonly = (address: string): AccountMeta => meta(address, false, false)
export const writable = (address: string): AccountMeta => meta(address, false, true)
export const signing = (address: string): AccountMeta => meta(address, true, true)

const meta = (address: string, isSigner: boolean, isWritable: boolean): AccountMeta => ({
  pubkey: new PublicKey(address),
  isSigner,
  isWritable,
})

const dataOf = (discriminator: Buffer, { amount, orderId }: ProgramDeposit): Buffer => {
  const data = Buffer.alloc(DATA_BYTES)
  discriminator.copy(data, 0)
  data.writeBigUInt64LE(amount, 8)
  data.set(hexToBytes(orderId, 'orderId', 32), 16)
  return data
}

/** `deposit_native` (chains.md, Depository program). */
export const depositNative = (deposit: ProgramDeposit): TransactionInstruction => {
  const { relayDepository, vault } = programAddresses(deposit.program)
  return new TransactionInstruction({
    programId: new PublicKey(deposit.program),
    keys: [
      readonly(relayDepository),
      signing(deposit.sender),
      readonly(deposit.depositor),
      writable(vault),
      readonly(SystemProgram.programId.toBase58()),
    ],
    data: dataOf(DEPOSIT_NATIVE, deposit),
  })
}

/** `deposit_token` (chains.md, Depository program). The program creates the vault's account at the sender's cost. */
export const depositToken = (
  deposit: ProgramDeposit & { readonly mint: Pick<MintInfo, 'address' | 'programId'> },
): TransactionInstruction => {
  const { program, sender, depositor, mint } = deposit
  const { relayDepository, vault } = programAddresses(program)
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: [
      readonly(relayDepository),
      signing(sender),
      readonly(depositor),
      readonly(vault),
      readonly(mint.address),
      writable(associatedTokenAddress(sender, mint)),
      writable(associatedTokenAddress(vault, mint)),
      readonly(mint.programId),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID.toBase58()),
      readonly(SystemProgram.programId.toBase58()),
    ],
    data: dataOf(DEPOSIT_TOKEN, deposit),
  })
}

/** What a deposit instruction says; places of the accounts are those of its own list. */
export interface DepositInstruction {
  readonly kind: 'native' | 'token'
  readonly amount: bigint
  readonly orderId: Hex
  /** Places of who signs, of the depositor and, for tokens, of the mint, among the instruction's accounts. */
  readonly senderAt: 1
  readonly depositorAt: 2
  readonly mintAt: 4 | null
}

/** Reads the data of an instruction of the program; null when it is no deposit. */
export const readDepositInstruction = (data: Uint8Array): DepositInstruction | null => {
  if (data.length !== DATA_BYTES) return null
  const bytes = Buffer.from(data)
  const native = DEPOSIT_NATIVE.equals(bytes.subarray(0, 8))
  if (!native && !DEPOSIT_TOKEN.equals(bytes.subarray(0, 8))) return null
  return {
    kind: native ? 'native' : 'token',
    amount: bytes.readBigUInt64LE(8),
    orderId: `0x${hexDigits(bytes.subarray(16))}`,
    senderAt: 1,
    depositorAt: 2,
    mintAt: native ? null : 4,
  }
}
