import { ServiceError } from '@causeway/core'
import type { DirectRequest } from '@causeway/core/chain'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import type { StepData } from '../deposit/stepData.js'
import { memoInstruction } from '../payout/memo/memoInstruction.js'
import { depositMemo } from '../payout/memo/memoText.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { MintInfo } from '../read/token/mintInfo.js'
import type { MintReader } from '../read/token/mintReader.js'
import { closeAccount, initializeAccount, transfer } from '../read/token/program/tokenInstructions.js'
import { ACCOUNT_SIZE } from '../read/token/program/tokenLayouts.js'
import { NATIVE_MINT, TOKEN_PROGRAM_ID } from '../read/token/program/tokenPrograms.js'
import { createTokenAccount } from '../read/token/tokenAccounts.js'
import { transferTokens } from '../read/token/tokenTransfer.js'
import type { UserSwaps } from '../swap/userSwaps.js'
import { wrappedAccountOf, wrapSol } from '../swap/wrappedSol.js'
import { withMark } from './directMark.js'

export interface DirectInstructionsDeps {
  readonly depository: string
  readonly mints: MintReader
  readonly accounts: AccountReader
  readonly swaps: Pick<UserSwaps, 'read'> | null
  /** Lamports that a plain token account must hold. */
  rent(): Promise<bigint>
}

const SEED_CHARACTERS = 32

/**
 * Instructions that a user executes alone, with a memo that holds the request id and an account by which it is found. `money.amount` leaves
 * the user; the memo stands directly before a transfer, for accounts that demand one. @throws ServiceError
 */
export const directInstructions = async (request: DirectRequest, deps: DirectInstructionsDeps): Promise<StepData> => {
  const { instructions, tables } = await unmarkedInstructions(request, deps)
  return { instructions: withMark(instructions, { user: request.from, depository: deps.depository }), tables }
}

const unmarkedInstructions = async (request: DirectRequest, deps: DirectInstructionsDeps): Promise<StepData> => {
  const memo = memoInstruction(depositMemo(request.requestId))
  switch (request.kind) {
    case 'send':
      return plain(await sendInstructions(request, memo, deps))
    case 'wrap':
      return plain([memo, ...wrap(request)])
    case 'unwrap':
      return plain([memo, ...(await unwrap(request, await deps.rent()))])
    case 'swap':
      return swapInstructions(request, memo, deps)
  }
}

const plain = (instructions: readonly TransactionInstruction[]): StepData => ({ instructions, tables: [] })

const sendInstructions = async (
  { from, recipient, money }: DirectRequest,
  memo: TransactionInstruction,
  deps: DirectInstructionsDeps,
): Promise<readonly TransactionInstruction[]> => {
  if (money.currency === NATIVE) return [memo, sendLamports(from, recipient, money.amount)]
  const mint = await readMint(money.currency, deps)
  const moved = await transferTokens({ mint, from, to: recipient, amount: money.amount }, deps.accounts)
  return [createTokenAccount(from, recipient, mint), memo, moved]
}

const wrap = ({ from, recipient, money }: DirectRequest): readonly TransactionInstruction[] =>
  wrapSol({ payer: from, from, owner: recipient }, money.amount)

/** A wrapped account can only be closed whole: just the amount goes through one that lives as long as the transaction. */
const unwrap = async (
  { from, recipient, money, requestId }: DirectRequest,
  rent: bigint,
): Promise<readonly TransactionInstruction[]> => {
  const owner = new PublicKey(from)
  const seed = requestId.slice(2, 2 + SEED_CHARACTERS)
  const passing = await PublicKey.createWithSeed(owner, seed, TOKEN_PROGRAM_ID)
  return [
    SystemProgram.createAccountWithSeed({
      fromPubkey: owner,
      newAccountPubkey: passing,
      basePubkey: owner,
      seed,
      lamports: Number(rent),
      space: ACCOUNT_SIZE,
      programId: TOKEN_PROGRAM_ID,
    }),
    initializeAccount({ account: passing, mint: NATIVE_MINT, owner }),
    transfer({ source: new PublicKey(wrappedAccountOf(from)), destination: passing, owner, amount: money.amount }),
    closeAccount({ account: passing, destination: owner, owner }),
    ...(recipient === from ? [] : [sendLamports(from, recipient, money.amount)]),
  ]
}

const swapInstructions = async (
  request: DirectRequest,
  memo: TransactionInstruction,
  deps: DirectInstructionsDeps,
): Promise<StepData> => {
  const { from, recipient, currencyOut, swap, fee } = request
  if (deps.swaps === null || swap === undefined) {
    throw new ServiceError('NO_SWAP_ROUTES_FOUND', 'This chain has no swaps.')
  }
  const [run, charge] = await Promise.all([
    deps.swaps.read(swap, { user: from, recipient }),
    fee === undefined ? [] : chargeInstructions(request, fee, deps),
  ])
  // A transfer names its amount: of lamports for somebody else the least is passed on, and the rest stays with the user.
  const passesOn = currencyOut === NATIVE && recipient !== from
  const pass = passesOn ? [sendLamports(from, recipient, swap.minimumOut)] : []
  return { instructions: [...charge, ...run.instructions, memo, ...pass], tables: run.tables }
}

const chargeInstructions = async (
  { from, money }: DirectRequest,
  { amount, recipient }: NonNullable<DirectRequest['fee']>,
  deps: DirectInstructionsDeps,
): Promise<readonly TransactionInstruction[]> => {
  if (money.currency === NATIVE) return [sendLamports(from, recipient, amount)]
  const mint = await readMint(money.currency, deps)
  const moved = await transferTokens({ mint, from, to: recipient, amount }, deps.accounts)
  return [createTokenAccount(from, recipient, mint), moved]
}

const readMint = async (currency: string, { mints }: DirectInstructionsDeps): Promise<MintInfo> => {
  const mint = await mints.read(currency)
  if (mint === null || mint.nonTransferable) {
    throw new ServiceError('UNSUPPORTED_CURRENCY', 'There is no token at this address that can be transferred.')
  }
  return mint
}

const sendLamports = (from: string, to: string, lamports: bigint): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports })
