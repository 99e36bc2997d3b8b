import { type ChainMoney, type JsonRpcClient, ServiceError } from '@causeway/core'
import type { AddressLookupTableAccount, TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { readTransactionError } from '../errors/transactionError.js'
import { compileMessage } from '../lane/laneTransaction.js'
import { associatedTokenAddress, readTokenAccount } from '../token/tokenAccounts.js'
import { type AccountChange, simulateMessage } from './simulateMessage.js'
import { mintOf, WRAPPED_SOL } from './wrappedSol.js'

export interface UserProofTerms {
  readonly user: string
  readonly feePayer?: string
  readonly instructions: readonly TransactionInstruction[]
  readonly tables: readonly AddressLookupTableAccount[]
  /** All that the transaction may cost the user beside fee and rent. */
  readonly spends: ChainMoney
  /** Token program of the mint that is spent. */
  readonly programId: string
}

/** Most lamports that fee and rent may take of the user. */
const MOST_COSTS = 20_000_000n
/** Who holds less could not pay fee and rent, so that a failure says nothing of the swap. */
const LEAST_FOR_COSTS = 5_000_000n
const SOME_BLOCKHASH = NATIVE

/**
 * Runs the transaction that a user is to sign and looks at what it does to the user: nothing may go but the amount that is
 * swapped, and nobody may get power over an account. A user who does not hold that amount yet is let pass when it fails.
 * @throws ServiceError SWAP_QUOTE_FAILED; SERVICE_UNAVAILABLE when the node does not tell
 */
export const proveUserSwap = async (terms: UserProofTerms, rpc: JsonRpcClient): Promise<void> => {
  const { user, feePayer = user, instructions, tables, spends, programId } = terms
  const message = compileMessage(instructions, feePayer, SOME_BLOCKHASH, tables)
  const source = associatedTokenAddress(user, { address: mintOf(spends.currency), programId })
  const also = [user, feePayer, ...(spends.currency === NATIVE ? [] : [source])]
  const { simulation, changes } = await simulateMessage(message, { tables, also: [...new Set(also)] }, rpc).catch(
    (cause: unknown) => {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'No node of this chain could try the swap. Try again.', { cause })
    },
  )
  if (simulation.err !== null) {
    if (!canAfford(terms, source, changes)) return
    const { text } = readTransactionError(simulation.err, { programs: [], logs: simulation.logs, depository: null })
    throw refused(`it would fail: ${text}`)
  }
  checkPower(user, changes)
  checkFalls(terms, changes)
}

const canAfford = (
  { user, feePayer = user, spends }: UserProofTerms,
  source: string,
  changes: readonly AccountChange[],
) => {
  const before = (address: string) => changes.find((change) => change.address === address)?.before ?? null
  const lamports = (address: string) => BigInt(before(address)?.lamports ?? 0)
  if (lamports(feePayer) < LEAST_FOR_COSTS) return false
  if (spends.currency === NATIVE) return lamports(user) >= spends.amount + LEAST_FOR_COSTS
  return (readTokenAccount(source, before(source))?.amount ?? 0n) >= spends.amount
}

/** The user still owns what it owned, and nobody else may move or close it. */
const checkPower = (user: string, changes: readonly AccountChange[]): void => {
  for (const { address, before, after } of changes) {
    if (address === user && after !== null && after.owner !== NATIVE) throw refused('it gives the account away')
    const [had, has] = [readTokenAccount(address, before), readTokenAccount(address, after)]
    if (has === null || (had?.owner ?? has.owner) !== user) continue
    const sameDelegate = has.delegate === null || has.delegate === (had?.delegate ?? user)
    const sameCloser = has.closer === (had?.closer ?? null)
    if (has.owner !== user || !sameDelegate || !sameCloser) throw refused('it gives a token account away')
  }
}

const checkFalls = ({ user, spends }: UserProofTerms, changes: readonly AccountChange[]): void => {
  const falls = new Map<string, bigint>()
  const fall = (mint: string, amount: bigint) => falls.set(mint, (falls.get(mint) ?? 0n) + amount)
  for (const { address, before, after } of changes) {
    const [had, has] = [holding(user, address, before), holding(user, address, after)]
    if (had !== null) fall(had.mint, had.amount)
    if (has !== null) fall(has.mint, -has.amount)
  }
  const spent = mintOf(spends.currency)
  for (const [mint, amount] of falls) {
    const costs = mint === WRAPPED_SOL.address ? MOST_COSTS : 0n
    if (amount > costs + (mint === spent ? spends.amount : 0n))
      throw refused('it takes more than the amount to be swapped')
  }
}

/** What of a user's is in an account; wrapped and bare lamports are one, rent included. */
const holding = (user: string, address: string, account: AccountChange['before']) => {
  const lamports = { mint: WRAPPED_SOL.address as string, amount: BigInt(account?.lamports ?? 0) }
  if (address === user) return lamports
  const token = readTokenAccount(address, account)
  if (token?.owner !== user) return null
  return token.mint === lamports.mint ? lamports : { mint: token.mint, amount: token.amount }
}

const refused = (what: string): ServiceError =>
  new ServiceError('SWAP_QUOTE_FAILED', `The swap cannot be used: ${what}. Ask for a new quote.`)
