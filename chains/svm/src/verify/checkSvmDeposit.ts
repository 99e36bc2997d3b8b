import { type DepositFacts, listAt, type TransactionStep, UnreadableQuoteError } from '@causeway/core/verify'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './programAddress.js'
import {
  memo,
  nativeTransfer,
  openTokenAccount,
  programDeposit,
  readInstructions,
  type SvmInstruction,
  type SvmToken,
  tokenTransfer,
  vaultOf,
} from './svmInstructions.js'

const TOKEN_PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

/**
 * The forms of a deposit on Solana: a transfer with the order id as its memo, or the depository program's own instruction
 * (chains.md svm 3). Instructions of a swap may stand before it.
 */
export const checkSvmDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, isSwapped } = facts
  findings.notCovered.push('fees of the transaction: the wallet sets them')
  const [step] = steps
  if (steps.length !== 1 || step?.id !== 'deposit') throw new UnreadableQuoteError('A deposit on Solana is one step')
  const instructions = readInstructions(step.data)
  const expected = expectedDeposit(instructions, facts)
  const swaps = instructions.length - expected.length
  if (isSwapped) {
    findings.require(swaps > 0, 'There is no swap before the deposit')
    findings.notCovered.push(`the first ${swaps} instructions, which swap: simulate the transaction`)
  } else {
    findings.same('The number of instructions', instructions.length, expected.length)
    findings.same('The number of lookup tables', listAt(step.data, 'addressLookupTableAddresses').length, 0)
  }
  for (const [at, instruction] of expected.entries()) compare(instructions[swaps + at], instruction, facts)
}

const expectedDeposit = (instructions: readonly SvmInstruction[], facts: DepositFacts): readonly SvmInstruction[] => {
  const last = instructions.at(-1)
  if (last === undefined) throw new UnreadableQuoteError('There are no instructions')
  return last.programId === MEMO_PROGRAM ? memoDeposit(instructions, facts) : ownDeposit(instructions, last, facts)
}

const memoDeposit = (instructions: readonly SvmInstruction[], facts: DepositFacts): readonly SvmInstruction[] => {
  const { sender, depository, currency, amount, orderId, feePayer } = facts
  const id = memo(orderId.toLowerCase())
  if (currency === SYSTEM_PROGRAM) return [nativeTransfer(sender, depository, amount), id]
  const token = tokenOf(instructions.at(-2)?.programId, facts)
  const opening = openTokenAccount(feePayer, depository, token)
  return [opening, tokenTransfer(sender, depository, { token, amount }), id]
}

/** The program is known by its vault, which is the depository of the quote. */
const ownDeposit = (
  instructions: readonly SvmInstruction[],
  last: SvmInstruction,
  facts: DepositFacts,
): readonly SvmInstruction[] => {
  const { sender, depository, currency, amount, orderId, feePayer, findings } = facts
  findings.same('The vault of the program that takes the deposit', vaultOf(last.programId), depository)
  const token = currency === SYSTEM_PROGRAM ? null : tokenOf(last.keys[7]?.pubkey, facts)
  const deposit = programDeposit({ program: last.programId, sender, amount, orderId, token })
  const opens = token !== null && instructions.at(-2)?.programId === ASSOCIATED_TOKEN_PROGRAM
  return opens ? [openTokenAccount(feePayer, depository, token), deposit] : [deposit]
}

const tokenOf = (program: string | undefined, { currency, decimals }: DepositFacts): SvmToken => {
  if (program === undefined || !TOKEN_PROGRAMS.includes(program)) {
    throw new UnreadableQuoteError('The deposit is not by a token program')
  }
  return { mint: currency, program, decimals }
}

const compare = (found: SvmInstruction | undefined, expected: SvmInstruction, { findings }: DepositFacts): void => {
  const name = `The instruction of ${expected.programId}`
  if (found === undefined) throw new UnreadableQuoteError(`${name} is missing`)
  findings.same('The program of an instruction', found.programId, expected.programId)
  findings.require(found.data === expected.data, `${name} says something else than the order`)
  for (const [at, key] of expected.keys.entries()) {
    findings.same(`Account ${at} of the instruction of ${expected.programId}`, textOf(found.keys[at]), textOf(key))
  }
  const more = found.keys.length - expected.keys.length
  if (more === 0) return
  findings.require(expected.programId === TOKEN_2022_PROGRAM, `${name} has ${more} accounts too many`)
  findings.notCovered.push(`${more} accounts that the token's own transfer hook asks for`)
}

const textOf = (key: SvmInstruction['keys'][number] | undefined): string =>
  key === undefined ? 'missing' : `${key.pubkey} ${key.isSigner ? 's' : ''}${key.isWritable ? 'w' : ''}`
