import { ServiceError } from '@causeway/core'
import type { ChainMoney } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import type { AddressLookupTableAccount, TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { compileMessage } from '../lane/laneTransaction.js'
import { readTransactionError } from '../payout/failure/transactionError.js'
import { SIGNATURE_LAMPORTS } from '../payout/fees/networkFees.js'
import { associatedTokenAddress, readTokenAccount } from '../read/token/tokenAccounts.js'
import { type AccountChange, simulateMessage } from '../rpc/simulateMessage.js'
import { gainsOf, ownerHarm } from './ownerHarm.js'
import { mintOf } from './wrappedSol.js'

export interface UserProofTerms {
  readonly user: string
  readonly feePayer?: string
  readonly instructions: readonly TransactionInstruction[]
  readonly tables: readonly AddressLookupTableAccount[]
  /** All that the transaction may cost the user beside fee and rent. */
  readonly spends: ChainMoney
  /** Token program of the mint that is spent. */
  readonly programId: string
  /** What somebody must have got when all has run; lamports before the fee. */
  readonly gets?: ChainMoney & { readonly owner: string }
}

/** Most lamports that fee and rent may take of the user. */
const MOST_COSTS = 20_000_000n
/** Who holds less could not pay fee and rent, so that a failure says nothing of the swap. */
const LEAST_FOR_COSTS = 5_000_000n
/** Of two signatures; nothing more is offered. */
const MOST_FEE = 2n * SIGNATURE_LAMPORTS
const SOME_BLOCKHASH = NATIVE

/**
 * Runs the transaction that a user is to sign and looks at what it does to the user: nothing may go but the amount that is
 * swapped, and nobody may get power over an account. A user who does not hold that amount yet is let pass when it fails.
 * @throws ServiceError SWAP_QUOTE_FAILED; SERVICE_UNAVAILABLE when the node does not tell
 */
export const proveUserSwap = async (terms: UserProofTerms, rpc: JsonRpcClient): Promise<void> => {
  const { user, feePayer = user, instructions, tables, spends, programId, gets } = terms
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
  const harm = ownerHarm({ owner: user, spends, costs: MOST_COSTS }, changes)
  if (harm !== null) throw refused(harm)
  if (gets === undefined) return
  const fee = gets.currency === NATIVE && gets.owner === feePayer ? MOST_FEE : 0n
  const gained = gainsOf(gets.owner, changes).get(mintOf(gets.currency)) ?? 0n
  if (gained + fee < gets.amount) throw refused('it would give less than was promised')
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
  return (readTokenAccount(before(source))?.amount ?? 0n) >= spends.amount
}

const refused = (what: string): ServiceError =>
  new ServiceError('SWAP_QUOTE_FAILED', `The swap cannot be used: ${what}. Ask for a new quote.`)
