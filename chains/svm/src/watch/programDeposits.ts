import type { Hex } from '@causeway/core'
import { NATIVE } from '../address/addresses.js'
import type { Instruction, TransactionView } from './transactionView.js'

/** First eight bytes of the data of the depository program's deposits (chains.md, Depository program (Solana)). */
const DEPOSIT_NATIVE = '0d9e0ddf5fd51c06'
const DEPOSIT_TOKEN = '0b9c60da27a3b413'
const DATA_BYTES = 48
const NO_ID: Hex = `0x${'0'.repeat(64)}`

/** A deposit that an instruction of the program made, before anything says how much of it arrived. */
export interface ProgramDeposit {
  readonly index: number
  readonly currency: string
  readonly amount: bigint
  readonly orderId: Hex | null
  readonly depositor: string
}

/** Deposits into `vault` by the program's own instructions, top-level and inner. Its log lines are never read: anyone can write them. */
export const programDeposits = (view: TransactionView, program: string, vault: string): ProgramDeposit[] =>
  view.instructions.flatMap((instruction) => {
    const deposit = instruction.program === program ? readDeposit(instruction) : null
    return deposit === null || instruction.accounts[3] !== vault ? [] : [deposit]
  })

const readDeposit = ({ index, accounts, data }: Instruction): ProgramDeposit | null => {
  if (data.length !== DATA_BYTES) return null
  const bytes = Buffer.from(data)
  const kind = bytes.toString('hex', 0, 8)
  const currency = kind === DEPOSIT_NATIVE ? NATIVE : kind === DEPOSIT_TOKEN ? accounts[4] : undefined
  const depositor = accounts[2]
  if (currency === undefined || depositor === undefined) return null
  const id: Hex = `0x${bytes.toString('hex', 16)}`
  return { index, currency, depositor, amount: bytes.readBigUInt64LE(8), orderId: id === NO_ID ? null : id }
}

/**
 * How much of an arrival each deposit of its currency is. Never more together than what arrived: when a transfer fee took
 * part of it, all get less in proportion. What arrived besides belongs to none.
 */
export const shareArrival = (
  deposits: readonly ProgramDeposit[],
  arrived: bigint,
): { readonly amounts: readonly bigint[]; readonly rest: bigint } => {
  const claimed = deposits.reduce((sum, { amount }) => sum + amount, 0n)
  if (claimed <= arrived) return { amounts: deposits.map(({ amount }) => amount), rest: arrived - claimed }
  const amounts = deposits.map(({ amount }) => (amount * arrived) / claimed)
  const rounding = arrived - amounts.reduce((sum, amount) => sum + amount, 0n)
  return { amounts: amounts.map((amount, at) => (at === 0 ? amount + rounding : amount)), rest: 0n }
}
