import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { closeAccount, initializeAccount } from '../../token/program/tokenInstructions.js'
import { ACCOUNT_SIZE } from '../../token/program/tokenLayouts.js'
import { NATIVE_MINT, TOKEN_PROGRAM_ID } from '../../token/program/tokenPrograms.js'

/**
 * Moves all lamports of an account without data, those too that came after `lamports` were read (faults.md F151). A transfer of what was
 * read would leave the rest below the rent that an account must hold, and the transaction would fail. So the last part, `rent` of a token
 * account, becomes a wrapped account and is closed, which moves whatever is there. Below `rent` only a transfer can be made.
 */
export const emptyLamports = ({
  from,
  to,
  lamports,
  rent,
}: {
  readonly from: string
  readonly to: string
  readonly lamports: bigint
  readonly rent: bigint
}): readonly TransactionInstruction[] => {
  const [account, destination] = [new PublicKey(from), new PublicKey(to)]
  const transfer = (amount: bigint) =>
    SystemProgram.transfer({ fromPubkey: account, toPubkey: destination, lamports: amount })
  if (lamports <= rent) return [transfer(lamports)]
  return [
    transfer(lamports - rent),
    SystemProgram.allocate({ accountPubkey: account, space: ACCOUNT_SIZE }),
    SystemProgram.assign({ accountPubkey: account, programId: TOKEN_PROGRAM_ID }),
    initializeAccount({ account, mint: NATIVE_MINT, owner: account }),
    closeAccount({ account, destination, owner: account }),
  ]
}
