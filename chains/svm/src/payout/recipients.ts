import type { Destination, RecipientStatus } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { MintReader } from '../read/token/mintReader.js'
import { associatedTokenAddress, readTokenAccount } from '../read/token/tokenAccounts.js'
import type { FeeSource } from './fees/feeSource.js'
import { recipientProblem } from './recipientRules.js'

export interface RecipientsDeps {
  readonly accounts: AccountReader
  readonly mints: MintReader
  readonly fees: FeeSource
  readonly depository: string
}

/** Whether an address can receive a currency, and what it costs to make it able to. */
export const recipientStatus = async (
  to: Destination,
  currency: string,
  { accounts, mints, fees, depository }: RecipientsDeps,
): Promise<RecipientStatus> => {
  if (to.address === depository) return { canReceive: false, why: 'The depository is not a recipient.' }
  const mint = currency === NATIVE ? null : await mints.read(currency)
  if (mint === null && currency !== NATIVE) {
    return { canReceive: false, why: 'There is no token at the address of this currency.' }
  }
  const address = mint === null ? null : associatedTokenAddress(to.address, mint)
  const [account = null, held = null] = await accounts.read([to.address, ...(address === null ? [] : [address])])
  const token = address === null ? null : { address, account: held }
  const why = recipientProblem({ to: to.address, account, mint, token })
  if (why !== null) return { canReceive: false, why }
  if (mint === null || address === null || readTokenAccount(held) !== null) return { canReceive: true }
  return { canReceive: true, cost: { currency: NATIVE, amount: await fees.rent(mint.tokenAccountBytes) } }
}
