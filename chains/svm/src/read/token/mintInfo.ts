import { larger } from '@causeway/core'
import { PublicKey } from '@solana/web3.js'
import type { RpcAccount } from '../../rpc/wire.js'
import {
  ACCOUNT_SIZE,
  AccountState,
  accountBytes,
  decodeMint,
  feeInEpoch,
  hookProgramIn,
  type Mint,
} from './program/tokenLayouts.js'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from './program/tokenPrograms.js'
import type { TransferFee } from './transferFee.js'

/** What paying in a token depends on. */
export interface MintInfo {
  readonly address: string
  readonly program: 'token' | 'token-2022'
  readonly programId: string
  readonly decimals: number
  /** What the mint keeps of every transfer now, or null (Token-2022). */
  readonly transferFee: TransferFee | null
  /** Program that runs in every transfer and may refuse it, or null (Token-2022). */
  readonly hookProgram: string | null
  readonly nonTransferable: boolean
  /** New token accounts can receive nothing before the issuer thaws them. */
  readonly frozenByDefault: boolean
  /** Size of an associated token account, for its rent. */
  readonly tokenAccountBytes: number
}

/** Place in time, for the fee of a mint. */
export interface EpochPlace {
  readonly epoch: bigint
  /** The next epoch is so near that a transaction built now may land in it. */
  readonly endsSoon: boolean
}

const NO_PROGRAM = PublicKey.default.toBase58()

/** Extensions of a mint, and those that its token accounts have because of it. */
const ACCOUNT_EXTENSIONS = [
  ['TransferFeeConfig', 'TransferFeeAmount'],
  ['NonTransferable', 'NonTransferableAccount'],
  ['TransferHook', 'TransferHookAccount'],
  ['PausableConfig', 'PausableAccount'],
] as const

const PROGRAMS = new Map<string, MintInfo['program']>([
  [TOKEN_PROGRAM_ID.toBase58(), 'token'],
  [TOKEN_2022_PROGRAM_ID.toBase58(), 'token-2022'],
])

/** The token program that owns an account, or null: it is neither mint nor token account. */
export const tokenProgramOf = (owner: string): MintInfo['program'] | null => PROGRAMS.get(owner) ?? null

/** What an account is as a mint; null when it is none. */
export const readMintInfo = (address: string, account: RpcAccount | null, place: EpochPlace): MintInfo | null => {
  if (account === null) return null
  const program = tokenProgramOf(account.owner)
  const mint = program === null ? null : parseMint(account)
  if (program === null || mint === null) return null
  const hookValue = mint.extension('TransferHook')
  const hook = hookValue === null ? NO_PROGRAM : hookProgramIn(hookValue).toBase58()
  return {
    address,
    program,
    programId: account.owner,
    decimals: mint.decimals,
    transferFee: transferFeeOf(mint, place),
    hookProgram: hook === NO_PROGRAM ? null : hook,
    nonTransferable: mint.extension('NonTransferable') !== null,
    frozenByDefault: mint.extension('DefaultAccountState')?.[0] === AccountState.Frozen,
    tokenAccountBytes: program === 'token' ? ACCOUNT_SIZE : bytesOfAccount(mint),
  }
}

/** The mint in an account of a token program; null when it is none. */
export const parseMint = (account: RpcAccount): Mint | null => {
  const mint = decodeMint(Buffer.from(account.data[0], 'base64'))
  return mint?.isInitialized === true ? mint : null
}

const bytesOfAccount = (mint: Mint): number => {
  const own = ACCOUNT_EXTENSIONS.flatMap(([ofMint, ofAccount]) => (mint.extension(ofMint) === null ? [] : [ofAccount]))
  return accountBytes([...own, 'ImmutableOwner'])
}

/** Near the end of an epoch the dearer fee of both, so that what was promised arrives in either. */
const transferFeeOf = (mint: Mint, { epoch, endsSoon }: EpochPlace): TransferFee | null => {
  const config = mint.extension('TransferFeeConfig')
  if (config === null) return null
  const now = feeInEpoch(config, epoch)
  const next = endsSoon ? feeInEpoch(config, epoch + 1n) : now
  const bps = Math.max(now.bps, next.bps)
  const maximum = larger(now.maximum, next.maximum)
  return bps === 0 || maximum === 0n ? null : { bps, maximum }
}
