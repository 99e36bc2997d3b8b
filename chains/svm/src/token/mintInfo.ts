import { larger } from '@causeway/core'
import {
  AccountState,
  ExtensionType,
  getAccountLen,
  getDefaultAccountState,
  getEpochFee,
  getExtensionData,
  getTransferFeeConfig,
  getTransferHook,
  type Mint,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackMint,
} from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { RpcAccount } from '../rpc/wire.js'
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

/** Size of a token account without extensions. */
export const PLAIN_TOKEN_ACCOUNT_BYTES = 165

const NO_PROGRAM = PublicKey.default.toBase58()

/** Extensions of a mint, and those that its token accounts have because of it. */
const ACCOUNT_EXTENSIONS = [
  [ExtensionType.TransferFeeConfig, ExtensionType.TransferFeeAmount],
  [ExtensionType.NonTransferable, ExtensionType.NonTransferableAccount],
  [ExtensionType.TransferHook, ExtensionType.TransferHookAccount],
  [ExtensionType.PausableConfig, ExtensionType.PausableAccount],
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
  const mint = program === null ? null : parseMint(address, account)
  if (program === null || mint === null) return null
  const hook = getTransferHook(mint)?.programId.toBase58() ?? NO_PROGRAM
  return {
    address,
    program,
    programId: account.owner,
    decimals: mint.decimals,
    transferFee: transferFeeOf(mint, place),
    hookProgram: hook === NO_PROGRAM ? null : hook,
    nonTransferable: has(mint, ExtensionType.NonTransferable),
    frozenByDefault: getDefaultAccountState(mint)?.state === AccountState.Frozen,
    tokenAccountBytes: program === 'token' ? PLAIN_TOKEN_ACCOUNT_BYTES : bytesOfAccount(mint),
  }
}

/** The mint in an account of a token program; null when it is none. */
export const parseMint = (address: string, account: RpcAccount): Mint | null => {
  const { owner, lamports, executable } = account
  const info = { owner: new PublicKey(owner), lamports, executable, data: Buffer.from(account.data[0], 'base64') }
  try {
    const mint = unpackMint(new PublicKey(address), info, info.owner)
    return mint.isInitialized ? mint : null
  } catch {
    return null
  }
}

const has = (mint: Mint, extension: ExtensionType): boolean => getExtensionData(extension, mint.tlvData) !== null

const bytesOfAccount = (mint: Mint): number => {
  const own = ACCOUNT_EXTENSIONS.flatMap(([ofMint, ofAccount]) => (has(mint, ofMint) ? [ofAccount] : []))
  return getAccountLen([...own, ExtensionType.ImmutableOwner])
}

/** Near the end of an epoch the dearer fee of both, so that what was promised arrives in either. */
const transferFeeOf = (mint: Mint, { epoch, endsSoon }: EpochPlace): TransferFee | null => {
  const config = getTransferFeeConfig(mint)
  if (config === null) return null
  const now = getEpochFee(config, epoch)
  const next = endsSoon ? getEpochFee(config, epoch + 1n) : now
  const bps = Math.max(now.transferFeeBasisPoints, next.transferFeeBasisPoints)
  const maximum = larger(now.maximumFee, next.maximumFee)
  return bps === 0 || maximum === 0n ? null : { bps, maximum }
}
