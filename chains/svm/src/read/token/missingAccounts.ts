import type { TransactionInstruction } from '@solana/web3.js'
import type { FeeSource } from '../../payout/fees/feeSource.js'
import { WRAPPED_SOL } from '../../swap/wrappedSol.js'
import type { AccountReader } from './accountReader.js'
import type { MintReader } from './mintReader.js'
import { ACCOUNT_SIZE } from './program/tokenLayouts.js'
import { ASSOCIATED_TOKEN_PROGRAM_ID } from './program/tokenPrograms.js'

export interface MissingAccountsDeps {
  readonly accounts: AccountReader
  readonly mints: MintReader
  readonly fees: FeeSource
}

/** Rent of the token accounts that instructions would open. Accounts for wrapped lamports do not count where they are closed again. */
export const missingAccountsRent = async (
  instructions: readonly TransactionInstruction[],
  { accounts, mints, fees }: MissingAccountsDeps,
  keepsWrapped = false,
): Promise<bigint> => {
  const opened = new Map(
    instructions
      .filter(({ programId }) => programId.equals(ASSOCIATED_TOKEN_PROGRAM_ID))
      .map(({ keys }) => [keys[1]?.pubkey.toBase58() ?? '', keys[3]?.pubkey.toBase58() ?? ''] as const)
      .filter(([, mint]) => keepsWrapped || mint !== WRAPPED_SOL.address),
  )
  const found = await accounts.read([...opened.keys()])
  const rents = await Promise.all(
    [...opened.values()].map(async (mint, at) => {
      if ((found[at] ?? null) !== null) return 0n
      return fees.rent((await mints.read(mint))?.tokenAccountBytes ?? ACCOUNT_SIZE)
    }),
  )
  return rents.reduce((sum, rent) => sum + rent, 0n)
}
