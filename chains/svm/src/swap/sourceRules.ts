import { ServiceError } from '@causeway/core'
import type { TransactionInstruction } from '@solana/web3.js'
import { tokenProgramOf } from '../read/token/mintInfo.js'
import { ASSOCIATED_TOKEN_PROGRAM_ID } from '../read/token/program/tokenPrograms.js'

export interface RuleTerms {
  /** The only account that may sign for the source's instructions. */
  readonly signer: string
  /**
   * Accounts that they may not even name: who signs a transaction signs for every instruction that names it, whatever
   * the source writes into `isSigner`.
   */
  readonly untouchable: readonly string[]
  /** Programs that they may call beside the token programs. */
  readonly programs: readonly string[]
  /** Where the money is, and the most that plain transfers may take of it. */
  readonly input: { readonly account: string; readonly amount: bigint }
}

/** What is left of a source's instructions: token accounts of the signer to be opened, and the others, to be run as they are. */
export interface AllowedInstructions {
  readonly creations: readonly { readonly address: string; readonly programId: string }[]
  readonly others: readonly TransactionInstruction[]
}

/** Most accounts that one transaction may lock on every cluster. */
const MOST_ACCOUNTS = 64
const ASSOCIATED = ASSOCIATED_TOKEN_PROGRAM_ID.toBase58()
/** Create, and create where it is missing; the first may come without data. */
const CREATIONS = new Set([undefined, 0, 1])
const TRANSFER = 3
const TRANSFER_CHECKED = 12
const SYNC_NATIVE = 17
const FEE_EXTENSION = 26
const TRANSFER_WITH_FEE = 1

/**
 * Lets through what a swap needs and nothing that gives somebody power over the signer's accounts. @throws ServiceError
 * SWAP_QUOTE_FAILED that says what is wrong
 */
export const checkSource = (instructions: readonly TransactionInstruction[], terms: RuleTerms): AllowedInstructions => {
  const accounts = new Set(instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey.toBase58())))
  if (accounts.size > MOST_ACCOUNTS) throw refused('uses more accounts than a transaction may')
  const creations = new Map<string, string>()
  const others: TransactionInstruction[] = []
  let taken = 0n
  for (const instruction of instructions) {
    checkAccounts(instruction, terms)
    const program = instruction.programId.toBase58()
    if (program === ASSOCIATED) {
      const { mint, programId } = readCreation(instruction, terms.signer)
      creations.set(mint, programId)
      continue
    }
    if (tokenProgramOf(program) !== null) taken += takenFrom(instruction, terms.input.account)
    else if (!terms.programs.includes(program)) throw refused(`calls the program ${program}, which it may not`)
    others.push(instruction)
  }
  if (taken > terms.input.amount) throw refused('takes more than the amount that is to be swapped')
  return { creations: [...creations].map(([address, programId]) => ({ address, programId })), others }
}

const checkAccounts = ({ keys }: TransactionInstruction, { signer, untouchable }: RuleTerms): void => {
  for (const { pubkey, isSigner } of keys) {
    const address = pubkey.toBase58()
    if (isSigner && address !== signer) throw refused(`needs the signature of ${address}`)
    if (address !== signer && untouchable.includes(address)) throw refused(`uses the account ${address}`)
  }
}

/** Accounts: payer, the new account, its owner, mint, System program, token program. */
const readCreation = ({ keys, data }: TransactionInstruction, signer: string) => {
  const [, , owner, mint, , programId] = keys.map(({ pubkey }) => pubkey.toBase58())
  if (!CREATIONS.has(data[0]) || owner !== signer || mint === undefined || programId === undefined) {
    throw refused('opens an account for somebody else')
  }
  if (tokenProgramOf(programId) === null) throw refused(`calls the program ${programId}, which it may not`)
  return { mint, programId }
}

/** What a transfer takes of an account. @throws ServiceError when it is something else than a transfer */
const takenFrom = ({ keys, data }: TransactionInstruction, account: string): bigint => {
  const at = amountPlace(data)
  if (at === null || (at > 0 && data.length < at + 8))
    throw refused('changes token accounts in another way than by transfers')
  return at > 0 && keys[0]?.pubkey.toBase58() === account ? data.readBigUInt64LE(at) : 0n
}

/** Where a transfer has its amount; 0 for what moves nothing, null for what is neither. */
const amountPlace = (data: Buffer): number | null => {
  if (data[0] === TRANSFER || data[0] === TRANSFER_CHECKED) return 1
  if (data[0] === FEE_EXTENSION && data[1] === TRANSFER_WITH_FEE) return 2
  return data[0] === SYNC_NATIVE ? 0 : null
}

const refused = (what: string): ServiceError =>
  new ServiceError('SWAP_QUOTE_FAILED', `The swap cannot be used: its source ${what}.`)
