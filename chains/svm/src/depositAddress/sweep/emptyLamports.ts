import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import {
  closeAccount,
  initializeAccount,
  plainKey,
  signingKey,
  writableKey,
} from '../../read/token/program/tokenInstructions.js'
import { ACCOUNT_SIZE } from '../../read/token/program/tokenLayouts.js'
import { NATIVE_MINT, TOKEN_PROGRAM_ID } from '../../read/token/program/tokenPrograms.js'

const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111')
/** Bytes of a program buffer without a program. */
const BUFFER_SIZE = 37
/** First word of the loader's instructions. */
const LoaderCode = { initializeBuffer: 0, close: 5 } as const

/**
 * Moves all lamports of an account without data, also those that came after `lamports` were read (faults.md F151). A transfer of what was
 * read would leave the rest below the rent that an account must hold, and the transaction would fail. So the account becomes one that can
 * be closed after the transfer: a wrapped account with its last part, `rent`, or a program buffer where it holds no more than that.
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
  if (lamports <= rent) return [transfer(lamports), ...closeAsBuffer(account, destination)]
  return [
    transfer(lamports - rent),
    SystemProgram.allocate({ accountPubkey: account, space: ACCOUNT_SIZE }),
    SystemProgram.assign({ accountPubkey: account, programId: TOKEN_PROGRAM_ID }),
    initializeAccount({ account, mint: NATIVE_MINT, owner: account }),
    closeAccount({ account, destination, owner: account }),
  ]
}

/** Unlike the token program, the loader asks for no rent before it closes a buffer. */
const closeAsBuffer = (account: PublicKey, destination: PublicKey): readonly TransactionInstruction[] => [
  SystemProgram.allocate({ accountPubkey: account, space: BUFFER_SIZE }),
  SystemProgram.assign({ accountPubkey: account, programId: LOADER }),
  loaderInstruction(LoaderCode.initializeBuffer, [writableKey(account), plainKey(account)]),
  loaderInstruction(LoaderCode.close, [writableKey(account), writableKey(destination), signingKey(account)]),
]

const loaderInstruction = (code: number, keys: TransactionInstruction['keys']): TransactionInstruction =>
  new TransactionInstruction({ programId: LOADER, keys, data: Buffer.from([code, 0, 0, 0]) })
