import { decodeBase58 } from '../../address/base58.js'
import { tokenProgramOf } from '../../read/token/mintInfo.js'
import { associatedTokenAddress } from '../../read/token/tokenAccounts.js'
import type { RpcInstruction, RpcTokenBalance, RpcTransaction, RpcTransactionMeta } from '../../rpc/wire.js'

/** Balances of long ago name no program: there was one then. */
const FIRST_TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** An instruction with its accounts named; `index` counts top-level instructions and inner ones after them (chains.md common rules 5). */
export interface Instruction {
  readonly index: number
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

/** Everything of a successful transaction that deposits are read from. */
export interface TransactionView {
  readonly id: string
  readonly slot: bigint
  /** Who pays the network fee: the first signer. */
  readonly feePayer: string
  readonly keys: readonly string[]
  readonly instructions: readonly Instruction[]
  readonly meta: RpcTransactionMeta
}

/** Null when the transaction failed: then nothing it shows has happened (faults.md F19), or when the node left parts of it out. */
export const viewTransaction = (transaction: RpcTransaction): TransactionView | null => {
  const { meta, slot } = transaction
  const { signatures, message } = transaction.transaction
  const [id] = signatures
  const [feePayer] = message.accountKeys
  // A node that leaves `err` out has not said that it is null.
  if (meta.err !== null || id === undefined || feePayer === undefined) return null
  const loaded = meta.loadedAddresses
  const keys = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])]
  const inner = [...(meta.innerInstructions ?? [])].sort((left, right) => left.index - right.index)
  const flat = [...message.instructions, ...inner.flatMap(({ instructions }) => instructions)]
  const instructions = flat.map((instruction, index) => nameAccounts(instruction, index, keys))
  return { id, slot: BigInt(slot), feePayer, keys, instructions, meta }
}

const nameAccounts = (
  { programIdIndex, accounts, data }: RpcInstruction,
  index: number,
  keys: readonly string[],
): Instruction => {
  let bytes: Uint8Array | null = null
  return {
    index,
    program: keys[programIdIndex] ?? '',
    accounts: accounts.map((account) => keys[account] ?? ''),
    // Only few instructions are ever looked into.
    get data() {
      bytes ??= decodeBase58(data) ?? new Uint8Array()
      return bytes
    },
  }
}

/** What an account holds after the transaction less what it held before, lamports. */
export const lamportsGained = ({ keys, meta }: TransactionView, address: string): bigint => {
  const at = keys.indexOf(address)
  if (at === -1) return 0n
  return BigInt(meta.postBalances[at] ?? 0) - BigInt(meta.preBalances[at] ?? 0)
}

export interface TokenGain {
  readonly mint: string
  /** The owner's associated token account. */
  readonly account: string
  readonly amount: bigint
}

/** What the associated token accounts of an owner gained, by mint. Other accounts in its name are no place to pay from. */
export const tokensGained = ({ keys, meta }: TransactionView, owner: string): TokenGain[] =>
  meta.postTokenBalances.flatMap((after): TokenGain[] => {
    const program = after.programId ?? FIRST_TOKEN_PROGRAM
    const account = keys[after.accountIndex]
    if (after.owner !== owner || account === undefined || tokenProgramOf(program) === null) return []
    if (account !== associatedAccount(owner, after.mint, program)) return []
    const before = balanceAt(meta.preTokenBalances, after.accountIndex)
    const amount = BigInt(after.uiTokenAmount.amount) - BigInt(before?.uiTokenAmount.amount ?? '0')
    return amount > 0n ? [{ mint: after.mint, account, amount }] : []
  })

/** Owner of a token account as the transaction found or left it; null when it shows neither. */
export const tokenOwner = ({ keys, meta }: TransactionView, account: string): string | null => {
  const at = keys.indexOf(account)
  return balanceAt(meta.preTokenBalances, at)?.owner ?? balanceAt(meta.postTokenBalances, at)?.owner ?? null
}

const balanceAt = (balances: readonly RpcTokenBalance[] | null | undefined, index: number) =>
  balances?.find(({ accountIndex }) => accountIndex === index)

/** Deriving an address is slow; the same few are asked for again and again. */
const associated = new Map<string, string>()
const MAX_ASSOCIATED = 1024

const associatedAccount = (owner: string, mint: string, program: string): string => {
  const key = `${owner}:${mint}:${program}`
  const known = associated.get(key)
  if (known !== undefined) return known
  const address = associatedTokenAddress(owner, { address: mint, programId: program })
  if (associated.size >= MAX_ASSOCIATED) associated.clear()
  associated.set(key, address)
  return address
}
