import { NATIVE } from '../../address/addresses.js'
import { tokenProgramOf } from '../../read/token/mintInfo.js'
import { type Instruction, lamportsGained, type TransactionView, tokenOwner, tokensGained } from './transactionView.js'

/** What a transaction brought to the depository in one currency, and the instruction that did. */
export interface Arrival {
  readonly currency: string
  readonly amount: bigint
  /** The account that holds it: the depository, or its token account. */
  readonly account: string
  /** Place of the instruction that moved it; null when the transaction shows none. */
  readonly index: number | null
  /** Who it came from; null when no instruction says. */
  readonly source: string | null
}

/** Balance differences decide: what an instruction or a log says it moved does not. */
export const arrivalsOf = (view: TransactionView, depository: string): Arrival[] => {
  const lamports = lamportsGained(view, depository)
  const gains = [
    ...(lamports > 0n ? [{ mint: NATIVE, account: depository, amount: lamports }] : []),
    ...tokensGained(view, depository),
  ]
  return gains.map(({ mint, account, amount }) => {
    const mover = view.instructions.find((instruction) => moves(instruction, account, mint === NATIVE))
    const touching = mover ?? view.instructions.find(({ accounts }) => accounts.includes(account))
    const from = mover?.accounts[0] ?? null
    const source = from === null || mint === NATIVE ? from : (tokenOwner(view, from) ?? authorityOf(mover))
    return { currency: mint, amount, account, index: touching?.index ?? null, source }
  })
}

const moves = (instruction: Instruction, account: string, native: boolean): boolean => {
  const to = native ? lamportsTo(instruction) : tokensTo(instruction)
  return to === account && instruction.accounts[0] !== account
}

/** Receiver of a System transfer or account creation: transfer 2, with seed 11; createAccount 0, with seed 3. */
const lamportsTo = ({ program, accounts, data }: Instruction): string | null => {
  if (program !== NATIVE || data.length < 4) return null
  const kind = Buffer.from(data).readUInt32LE(0)
  if (kind === 11) return accounts[2] ?? null
  return kind === 2 || kind === 0 || kind === 3 ? (accounts[1] ?? null) : null
}

/** Receiver of a token transfer: transfer 3; transferChecked 12 and, in the fee extension 26, 1 with the mint between. */
const tokensTo = ({ program, accounts, data }: Instruction): string | null => {
  if (tokenProgramOf(program) === null) return null
  if (data[0] === 3) return accounts[1] ?? null
  return data[0] === 12 || (data[0] === 26 && data[1] === 1) ? (accounts[2] ?? null) : null
}

const authorityOf = (instruction: Instruction | undefined): string | null => {
  if (instruction === undefined) return null
  return instruction.accounts[instruction.data[0] === 3 ? 2 : 3] ?? null
}
