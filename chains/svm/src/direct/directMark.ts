import { createHash } from 'node:crypto'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { plainKey } from '../read/token/program/tokenInstructions.js'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../read/token/program/tokenPrograms.js'

/** Account of a deployment that its users' own transactions mention, so that a node lists them. It holds nothing and has no key. */
export const directMark = (depository: string): string =>
  new PublicKey(createHash('sha256').update(`causeway direct ${depository}`).digest()).toBase58()

const TRANSFER_CHECKED = 12

/** These programs read the accounts that they need and pass over further ones; memos want every account to sign. */
const passesOver = ({ programId, data }: TransactionInstruction): boolean =>
  programId.equals(SystemProgram.programId) ||
  ((programId.equals(TOKEN_PROGRAM_ID) || programId.equals(TOKEN_2022_PROGRAM_ID)) && data[0] === TRANSFER_CHECKED)

/**
 * The same instructions, of which the last suitable one mentions the mark as a further, read-only account. Where none is suitable, a transfer
 * of nothing from the user to the user is added.
 */
export const withMark = (
  instructions: readonly TransactionInstruction[],
  { user, depository }: { readonly user: string; readonly depository: string },
): readonly TransactionInstruction[] => {
  const mark = plainKey(new PublicKey(directMark(depository)))
  const at = instructions.findLastIndex(passesOver)
  if (at === -1) {
    const key = new PublicKey(user)
    const nothing = SystemProgram.transfer({ fromPubkey: key, toPubkey: key, lamports: 0 })
    nothing.keys.push(mark)
    return [nothing, ...instructions]
  }
  return instructions.map((instruction, index) => {
    if (index === at) instruction.keys.push(mark)
    return instruction
  })
}
