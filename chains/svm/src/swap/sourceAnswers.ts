import type { Json } from '@causeway/core'
import type { SwapRequest } from '@causeway/core/chain'
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { validateAddress } from '../address/addresses.js'

/** What a source offers, in mints. */
export interface SourceQuote {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Pools in a row. */
  readonly hops: number
  /** The answer itself: the source wants it back when it is asked for instructions. */
  readonly route: Json
}

/** How a source would run a route. What it says of fees, tips and budget is not read. */
export interface SourceInstructions {
  readonly setup: readonly TransactionInstruction[]
  readonly swap: readonly TransactionInstruction[]
  readonly tables: readonly string[]
}

export interface QuoteTerms {
  readonly kind: SwapRequest['kind']
  readonly inputMint: string
  readonly outputMint: string
  readonly amount: bigint
}

const MAX_U64 = 2n ** 64n - 1n
const MAX_POOLS = 16
const MAX_ROUTE_CHARACTERS = 24_000
const MAX_SETUP = 12
const MAX_ACCOUNTS = 128
const MAX_DATA_CHARACTERS = 1700
const MAX_TABLES = 8

/** Reads an answer of `GET /quote`; null when it answers something else than what was asked, or more than it may. */
export const readQuote = (answer: unknown, { kind, inputMint, outputMint, amount }: QuoteTerms): SourceQuote | null => {
  const quote = recordOf(answer)
  const mode = kind === 'exact-input' ? 'ExactIn' : 'ExactOut'
  if (quote?.inputMint !== inputMint || quote.outputMint !== outputMint || quote.swapMode !== mode) return null
  const [amountIn, amountOut] = [amountOf(quote.inAmount), amountOf(quote.outAmount)]
  if (amountIn === null || amountOut === null) return null
  if ((kind === 'exact-input' ? amountIn : amountOut) !== amount || !isFree(quote.platformFee)) return null
  const hops = hopsOf(quote.routePlan, inputMint, outputMint)
  if (hops === null || JSON.stringify(quote).length > MAX_ROUTE_CHARACTERS) return null
  // CAST: it came out of JSON.parse.
  return { amountIn, amountOut, hops, route: quote as { readonly [key: string]: Json } }
}

/** Reads an answer of `POST /swap-instructions`; null when it cannot be read or is larger than any transaction. */
export const readInstructions = (answer: unknown): SourceInstructions | null => {
  const said = recordOf(answer)
  if (said === null || (said.tokenLedgerInstruction ?? null) !== null) return null
  const { setupInstructions = [], cleanupInstruction = null, addressLookupTableAddresses = [] } = said
  if (!Array.isArray(setupInstructions) || setupInstructions.length > MAX_SETUP) return null
  if (!Array.isArray(addressLookupTableAddresses) || addressLookupTableAddresses.length > MAX_TABLES) return null
  const setup = setupInstructions.map(readInstruction)
  const swap = [said.swapInstruction, ...(cleanupInstruction === null ? [] : [cleanupInstruction])].map(readInstruction)
  const tables = addressLookupTableAddresses.map(addressOf)
  if (!isWhole(setup) || !isWhole(swap) || !isWhole(tables)) return null
  return { setup, swap, tables: [...new Set(tables)] }
}

const readInstruction = (value: unknown): TransactionInstruction | null => {
  const { programId, accounts, data } = recordOf(value) ?? {}
  const program = addressOf(programId)
  if (program === null || !Array.isArray(accounts) || accounts.length > MAX_ACCOUNTS) return null
  if (typeof data !== 'string' || data.length > MAX_DATA_CHARACTERS) return null
  const keys = accounts.map((account: unknown) => {
    const { pubkey, isSigner, isWritable } = recordOf(account) ?? {}
    const address = addressOf(pubkey)
    if (address === null || typeof isSigner !== 'boolean' || typeof isWritable !== 'boolean') return null
    return { pubkey: new PublicKey(address), isSigner, isWritable }
  })
  if (!isWhole(keys)) return null
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: [...keys],
    data: Buffer.from(data, 'base64'),
  })
}

/** The longest way from mint to mint through the pools of a plan, parts of which may run side by side; null for none. */
const hopsOf = (plan: unknown, from: string, to: string): number | null => {
  if (!Array.isArray(plan) || plan.length === 0 || plan.length > MAX_POOLS) return null
  const pools: ({ readonly input: string; readonly output: string } | null)[] = plan.map((step: unknown) => {
    const { inputMint, outputMint } = recordOf(recordOf(step)?.swapInfo) ?? {}
    const [input, output] = [addressOf(inputMint), addressOf(outputMint)]
    return input === null || output === null ? null : { input, output }
  })
  if (!isWhole(pools)) return null
  const whole: readonly { readonly input: string; readonly output: string }[] = pools
  const longest = (at: string, passed: readonly string[]): number | null => {
    if (at === to) return 0
    const next = new Set(whole.filter(({ input }) => input === at).map(({ output }) => output))
    const ways = [...next]
      .filter((mint) => !passed.includes(mint))
      .flatMap((mint) => longest(mint, [...passed, mint]) ?? [])
    return ways.length === 0 ? null : 1 + Math.max(...ways)
  }
  return longest(from, [from])
}

/** Nobody asked for a fee of an integrator of the source, so there must be none. */
const isFree = (fee: unknown): boolean => {
  if (fee === null || fee === undefined) return true
  const { amount, feeBps } = recordOf(fee) ?? {}
  return (amount === undefined || amount === '0') && (feeBps === undefined || feeBps === 0)
}

const amountOf = (value: unknown): bigint | null => {
  if (typeof value !== 'string' || !/^[1-9][0-9]{0,19}$/.test(value)) return null
  const amount = BigInt(value)
  return amount > MAX_U64 ? null : amount
}

const addressOf = (value: unknown): string | null => {
  const check = typeof value === 'string' ? validateAddress(value) : null
  return check?.ok ? check.canonical : null
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  // CAST: neither array nor null.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

const isWhole = <Item>(items: readonly (Item | null)[]): items is readonly Item[] => !items.includes(null)
