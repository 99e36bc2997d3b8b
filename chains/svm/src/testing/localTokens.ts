import {
  AccountState,
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeDefaultAccountStateInstruction,
  createInitializeMint2Instruction,
  createInitializeNonTransferableMintInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInitializeTransferHookInstruction,
  createMintToInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { type Connection, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'

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
}

const extensionsOf = (options: TokenOptions): ExtensionType[] => [
  ...(options.transferFee === undefined ? [] : [ExtensionType.TransferFeeConfig]),
  ...(options.transferHook === undefined ? [] : [ExtensionType.TransferHook]),
  ...(options.defaultFrozen === true ? [ExtensionType.DefaultAccountState] : []),
  ...(options.nonTransferable === true ? [ExtensionType.NonTransferable] : []),
]

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
  const space = getMintLen(extensions)
  const lamports = await connection.getMinimumBalanceForRentExemption(space)
  const freezer = options.freezable === true || options.defaultFrozen === true ? authority : null
  const { transferFee, transferHook } = options
  return [
    SystemProgram.createAccount({ fromPubkey: authority, newAccountPubkey: mint, space, lamports, programId: program }),
    ...(transferFee === undefined
      ? []
      : [
          createInitializeTransferFeeConfigInstruction(
            mint,
            authority,
            authority,
            transferFee.bps,
            transferFee.maximum,
            program,
          ),
        ]),
    ...(transferHook === undefined
      ? []
      : [createInitializeTransferHookInstruction(mint, authority, new PublicKey(transferHook), program)]),
    ...(options.defaultFrozen === true
      ? [createInitializeDefaultAccountStateInstruction(mint, AccountState.Frozen, program)]
      : []),
    ...(options.nonTransferable === true ? [createInitializeNonTransferableMintInstruction(mint, program)] : []),
    createInitializeMint2Instruction(mint, options.decimals, authority, freezer, program),
  ]
}

/** The associated token account of an owner, and the instruction that makes sure it is there. */
export const createAssociated = async (connection: Connection, payer: PublicKey, owner: string, mint: string) => {
  const mintKey = new PublicKey(mint)
  const ownerKey = new PublicKey(owner)
  const program = (await connection.getAccountInfo(mintKey))?.owner
  if (program === undefined) throw new Error(`There is no mint ${mint}`)
  const account = getAssociatedTokenAddressSync(mintKey, ownerKey, true, program)
  const instruction = createAssociatedTokenAccountIdempotentInstruction(payer, account, ownerKey, mintKey, program)
  return { address: account.toBase58(), account, program, instruction }
}

/** Tokens for an owner out of nothing. */
export const mintTokens = async (
  connection: Connection,
  made: { readonly mint: string; readonly owner: string; readonly amount: bigint; readonly authority: PublicKey },
): Promise<TransactionInstruction[]> => {
  const { mint, owner, amount, authority } = made
  const { account, program, instruction } = await createAssociated(connection, authority, owner, mint)
  return [instruction, createMintToInstruction(new PublicKey(mint), account, authority, amount, [], program)]
}
