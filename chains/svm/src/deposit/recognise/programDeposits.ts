import type { Hex } from '@causeway/core'
import { NATIVE } from '../../address/addresses.js'
import { readDepositInstruction } from '../program/depositInstructions.js'
import type { Instruction, TransactionView } from './transactionView.js'

const NO_ID: Hex = `0x${'0'.repeat(64)}`

/** A deposit that an instruction of the program made, before anything says how much of it arrived. */
export interface ProgramDeposit {
  readonly index: number
  readonly currency: string
  readonly amount: bigint
  readonly orderId: Hex | null
  readonly depositor: string
  /** Who signed for the money. */
  readonly source: string
}

/** Deposits into `vault` by the program's own instructions, top-level and inner. Its log lines are never read: anyone can write them. */
export const programDeposits = (view: TransactionView, program: string, vault: string): ProgramDeposit[] =>
  view.instructions.flatMap((instruction) => {
    const deposit = instruction.program === program ? readDeposit(instruction) : null
    return deposit === null || instruction.accounts[3] !== vault ? [] : [deposit]
  })

const readDeposit = ({ index, accounts, data }: Instruction): ProgramDeposit | null => {
  const said = readDepositInstruction(data)
  if (said === null) return null
  const currency = said.mintAt === null ? NATIVE : accounts[said.mintAt]
  const depositor = accounts[said.depositorAt]
  const source = accounts[said.senderAt]
  if (currency === undefined || depositor === undefined || source === undefined) return null
  const { amount, orderId } = said
  return { index, currency, depositor, source, amount, orderId: orderId === NO_ID ? null : orderId }
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
