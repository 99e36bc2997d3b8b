import { type Connection, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { createAssociated as createAssociatedInstruction } from '../../read/token/program/tokenInstructions.js'
import { AccountState, mintBytes, type SizedExtension } from '../../read/token/program/tokenLayouts.js'
import { associatedAddress, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../../read/token/program/tokenPrograms.js'
import {
  initializeDefaultState,
  initializeMetadataPointer,
  initializeMint,
  initializeNonTransferable,
  initializeTransferFee,
  initializeTransferHook,
  mintTo,
} from './mintInstructions.js'

export interface TokenOptions {
  readonly decimals: number
  /** Default `token`; any extension needs `token-2022`. */
  readonly program?: 'token' | 'token-2022'
  readonly transferFee?: { readonly bps: number; readonly maximum: bigint }
  /** Program that every transfer calls. */
  readonly transferHook?: string
  readonly defaultFrozen?: boolean
  readonly nonTransferable?: boolean
  readonly freezable?: boolean
  /** What the mint says of itself. */
  readonly metadata?: { readonly name: string; readonly symbol: string }
}

/** First bytes of the metadata interface's instruction that writes them. */
const INITIALIZE_METADATA = Buffer.from('d2e11ea258b84d8d', 'hex')
/** Type and length, two keys, three lengths and the count of further fields. */
const METADATA_HEAD_BYTES = 4 + 64 + 12 + 4

const extensionsOf = (options: TokenOptions): SizedExtension[] => {
  const wanted = {
    TransferFeeConfig: options.transferFee !== undefined,
    TransferHook: options.transferHook !== undefined,
    DefaultAccountState: options.defaultFrozen === true,
    NonTransferable: options.nonTransferable === true,
    MetadataPointer: options.metadata !== undefined,
  } satisfies Partial<Record<SizedExtension, boolean>>
  // CAST: keys of the object above.
  return (Object.keys(wanted) as (keyof typeof wanted)[]).filter((name) => wanted[name])
}

/** Creates and initialises a mint; `authority` pays, mints and freezes. */
export const createMintInstructions = async (
  connection: Connection,
  authority: PublicKey,
  mint: PublicKey,
  options: TokenOptions,
): Promise<TransactionInstruction[]> => {
  const extensions = extensionsOf(options)
  const wants2022 = options.program === 'token-2022' || extensions.length > 0
  const program = wants2022 ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID
  const space = mintBytes(extensions)
  const { metadata } = options
  const saying = metadata === undefined ? 0 : METADATA_HEAD_BYTES + Buffer.byteLength(metadata.name + metadata.symbol)
  const lamports = await connection.getMinimumBalanceForRentExemption(space + saying)
  const freezer = options.freezable === true || options.defaultFrozen === true ? authority : null
  const { transferFee, transferHook } = options
  return [
    SystemProgram.createAccount({ fromPubkey: authority, newAccountPubkey: mint, space, lamports, programId: program }),
    ...(transferFee === undefined
      ? []
      : [initializeTransferFee(mint, { ...transferFee, configAuthority: authority, withdrawAuthority: authority })]),
    ...(transferHook === undefined ? [] : [initializeTransferHook(mint, authority, new PublicKey(transferHook))]),
    ...(options.defaultFrozen === true ? [initializeDefaultState(mint, AccountState.Frozen)] : []),
    ...(options.nonTransferable === true ? [initializeNonTransferable(mint)] : []),
    ...(metadata === undefined ? [] : [initializeMetadataPointer(mint, authority, mint)]),
    initializeMint({ mint, decimals: options.decimals, authority, freezer, program }),
    ...(metadata === undefined ? [] : [writeMetadata(mint, authority, metadata)]),
  ]
}

const writeMetadata = (
  mint: PublicKey,
  authority: PublicKey,
  { name, symbol }: NonNullable<TokenOptions['metadata']>,
): TransactionInstruction =>
  new TransactionInstruction({
    programId: TOKEN_2022_PROGRAM_ID,
    keys: [
      { pubkey: mint, isSigner: false, isWritable: true },
      { pubkey: authority, isSigner: false, isWritable: false },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: authority, isSigner: true, isWritable: false },
    ],
    data: Buffer.concat([INITIALIZE_METADATA, ...[name, symbol, ''].map(lengthAndText)]),
  })

const lengthAndText = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The associated token account of an owner, and the instruction that makes sure it is there. */
export const createAssociated = async (connection: Connection, payer: PublicKey, owner: string, mint: string) => {
  const mintKey = new PublicKey(mint)
  const ownerKey = new PublicKey(owner)
  const program = (await connection.getAccountInfo(mintKey))?.owner
  if (program === undefined) throw new Error(`There is no mint ${mint}`)
  const account = associatedAddress(mintKey, ownerKey, program)
  const instruction = createAssociatedInstruction({ payer, owner: ownerKey, mint: mintKey, program })
  return { address: account.toBase58(), account, program, instruction }
}

/** Tokens for an owner out of nothing. */
export const mintTokens = async (
  connection: Connection,
  made: { readonly mint: string; readonly owner: string; readonly amount: bigint; readonly authority: PublicKey },
): Promise<TransactionInstruction[]> => {
  const { mint, owner, amount, authority } = made
  const { account, program, instruction } = await createAssociated(connection, authority, owner, mint)
  return [instruction, mintTo({ mint: new PublicKey(mint), account, authority, amount, program })]
}
