import { FaultedCall, type NodeReply, type NodeRequest, serveNode } from '@causeway/core/testing'
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { approve, createAssociated, transfer } from '../../read/token/program/tokenInstructions.js'
import { associatedAddress } from '../../read/token/program/tokenPrograms.js'
import type { LocalSvmChain } from '../node/localSvm.js'
import { SwapPool, type SwapPoolOptions } from './swapPools.js'
import { bestRoute, type Hop } from './swapRoutes.js'

/** What a source can do wrong: each kind until another is set. */
export type SwapLie =
  /** Status 500, no answer at all, text that is no JSON, an answer without end. */
  | 'fail'
  | 'hang'
  | 'garbage'
  | 'endless'
  /** Quotes of other mints or of another amount; routes longer than asked for. */
  | 'other-mint'
  | 'other-amount'
  | 'long-way'
  /** Instructions that need another signature, that take twice the amount, or the payer's lamports. */
  | 'foreign-signer'
  | 'greedy'
  | 'lamports'
  /** Instructions that let the pool take the user's tokens later. */
  | 'approve'
  /** Instructions that take the input and give nothing, or one unit. */
  | 'thief'
  | 'short'

export interface SwapServerOptions {
  readonly pools: readonly SwapPoolOptions[]
  /** Accounts that each pool's instruction names for nothing, so that long routes are large (default 0). */
  readonly extraAccounts?: number
  /** Puts the accounts of the pools into lookup tables. */
  readonly tables?: boolean
  /** Answers only who shows it in `x-api-key`. */
  readonly apiKey?: string
}

export interface SwapServer {
  /** Base address, for `options.swap.sources`. */
  readonly url: string
  /** Requests so far, by path. */
  readonly calls: ReadonlyMap<string, number>
  lie(lie: SwapLie | null): void
  close(): Promise<void>
}

const ACCOUNTS_PER_HOP = 16
const SPARE_ACCOUNTS = 8
const ENDLESS = ' '.repeat(2_000_000)

/** A Jupiter-shaped source of swaps over pools of a local chain, in this process. */
export const startSwapServer = async (chain: LocalSvmChain, options: SwapServerOptions): Promise<SwapServer> => {
  const { extraAccounts = 0, tables: wantsTables = false, apiKey } = options
  const pools = new Map<string, SwapPool>()
  const tables = new Map<string, PublicKey>()
  for (const pool of options.pools) {
    const opened = await SwapPool.open(chain, pool, extraAccounts)
    pools.set(opened.id, opened)
    if (wantsTables) tables.set(opened.id, await opened.openTable())
  }
  const desk = new SwapDesk(pools, tables)
  const calls = new Map<string, number>()
  const http = (request: NodeRequest) => {
    calls.set(request.path, (calls.get(request.path) ?? 0) + 1)
    return answer(request, desk, apiKey)
  }
  const { port, close } = await serveNode({ dialect: { http } })
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    lie: (lie) => {
      desk.lie = lie
    },
    close,
  }
}

const answer = async (
  { path, query, headers, body }: NodeRequest,
  desk: SwapDesk,
  apiKey: string | undefined,
): Promise<NodeReply> => {
  try {
    if (apiKey !== undefined && headers['x-api-key'] !== apiKey) return { status: 401, body: '{}' }
    if (desk.lie === 'fail') return { status: 500, body: 'Internal error' }
    if (desk.lie === 'garbage') return { body: '<html>' }
    if (desk.lie === 'endless') return { body: ENDLESS }
    if (desk.lie !== 'hang') return { body: JSON.stringify(await route(desk, path, query, body)) }
  } catch (error) {
    return { status: 400, body: JSON.stringify({ error: error instanceof Error ? error.message : 'Bad request' }) }
  }
  throw new FaultedCall({ hang: true })
}

const route = async (desk: SwapDesk, path: string, query: URLSearchParams, body: string): Promise<unknown> => {
  // CAST: another body fails in `instructions`.
  const found =
    path === '/quote'
      ? await desk.quote(query)
      : path === '/swap-instructions'
        ? await desk.instructions(JSON.parse(body) as InstructionsRequest)
        : null
  if (found === null) throw new Error('Could not find any route')
  return found
}

interface InstructionsRequest {
  readonly userPublicKey: string
  readonly wrapAndUnwrapSol?: boolean
  readonly destinationTokenAccount?: string
  readonly quoteResponse: {
    readonly inAmount: string
    readonly otherAmountThreshold: string
    readonly routePlan: readonly { readonly swapInfo: PlanStep }[]
  }
}

interface PlanStep {
  readonly ammKey: string
  readonly inputMint: string
  readonly outputMint: string
}

class SwapDesk {
  lie: SwapLie | null = null
  readonly #pools: ReadonlyMap<string, SwapPool>
  readonly #tables: ReadonlyMap<string, PublicKey>

  constructor(pools: ReadonlyMap<string, SwapPool>, tables: ReadonlyMap<string, PublicKey>) {
    this.#pools = pools
    this.#tables = tables
  }

  async quote(query: URLSearchParams) {
    const said = (name: string) => query.get(name) ?? ''
    const [from, to, mode] = [said('inputMint'), said('outputMint'), query.get('swapMode') ?? 'ExactIn']
    const allowed = Math.floor((Number(query.get('maxAccounts') ?? 64) - SPARE_ACCOUNTS) / ACCOUNTS_PER_HOP)
    const maxHops = said('onlyDirectRoutes') === 'true' ? 1 : this.lie === 'long-way' ? 9 : Math.max(1, allowed)
    const amount = BigInt(said('amount')) * (this.lie === 'other-amount' ? 2n : 1n)
    const pools = await Promise.all([...this.#pools.values()].map((pool) => pool.reserves()))
    const hops = bestRoute(pools, { from, to, amount, exactOut: mode === 'ExactOut', maxHops })
    const [first, last] = [hops?.[0], hops?.at(-1)]
    if (hops === null || first === undefined || last === undefined) return null
    const slippageBps = Number(query.get('slippageBps') ?? 50)
    return {
      inputMint: from,
      inAmount: first.amountIn.toString(),
      outputMint: this.lie === 'other-mint' ? from : to,
      outAmount: last.amountOut.toString(),
      otherAmountThreshold: ((last.amountOut * BigInt(10_000 - slippageBps)) / 10_000n).toString(),
      swapMode: mode,
      slippageBps,
      platformFee: null,
      priceImpactPct: '0',
      routePlan: hops.map((hop) => ({ percent: 100, swapInfo: planOf(hop) })),
      contextSlot: 1,
      timeTaken: 0.001,
    }
  }

  async instructions({ userPublicKey, wrapAndUnwrapSol, destinationTokenAccount, quoteResponse }: InstructionsRequest) {
    if (wrapAndUnwrapSol !== false) throw new Error('This source does not wrap')
    const user = new PublicKey(userPublicKey)
    const hops = await this.#reprice(quoteResponse)
    const [first, last] = [hops[0], hops.at(-1)]
    if (first === undefined || last === undefined) throw new Error('Empty route')
    if (last.amountOut < BigInt(quoteResponse.otherAmountThreshold)) throw new Error('Slippage tolerance exceeded')
    const program = this.#pool(last.pool).programOf(last.outputMint)
    const own = associatedAddress(new PublicKey(last.outputMint), user, program)
    const destination = destinationTokenAccount === undefined ? own : new PublicKey(destinationTokenAccount)
    const moves = await this.#moves(hops, user, destination)
    const opens =
      destinationTokenAccount === undefined
        ? [createAssociated({ payer: user, owner: user, mint: new PublicKey(last.outputMint), program })]
        : []
    const all = [...opens, ...moves, ...this.#harm(first, user)]
    return {
      tokenLedgerInstruction: null,
      computeBudgetInstructions: [],
      setupInstructions: all.slice(0, -1).map(instructionJson),
      swapInstruction: all.slice(-1).map(instructionJson)[0],
      cleanupInstruction: null,
      addressLookupTableAddresses: [...new Set(hops.flatMap(({ pool }) => this.#tables.get(pool)?.toBase58() ?? []))],
    }
  }

  /** The amounts of a route as the pools stand now. */
  async #reprice({ inAmount, routePlan }: InstructionsRequest['quoteResponse']): Promise<readonly Hop[]> {
    const hops: Hop[] = []
    let amount = BigInt(inAmount)
    for (const { swapInfo } of routePlan) {
      const { inputMint: from, outputMint: to } = swapInfo
      const reserves = await this.#pool(swapInfo.ammKey).reserves()
      const [hop] = bestRoute([reserves], { from, to, amount, exactOut: false, maxHops: 1 }) ?? []
      if (hop === undefined) throw new Error('Not enough liquidity')
      hops.push(hop)
      amount = hop.amountOut
    }
    return hops
  }

  async #moves(hops: readonly Hop[], user: PublicKey, destination: PublicKey): Promise<TransactionInstruction[]> {
    const moves: TransactionInstruction[] = []
    const [first] = hops
    if (first === undefined) return moves
    const firstPool = this.#pool(first.pool)
    const mint = new PublicKey(first.inputMint)
    let source = associatedAddress(mint, user, firstPool.programOf(first.inputMint))
    for (const [at, hop] of hops.entries()) {
      const pool = this.#pool(hop.pool)
      moves.push(pool.pay(hop, source, user))
      const { account, take } = await pool.setAside(hop, user)
      source = account
      if (at < hops.length - 1 || this.lie === 'thief') continue
      moves.push(take(destination, this.lie === 'short' ? 1n : hop.amountOut))
    }
    return moves
  }

  #harm(hop: Hop, user: PublicKey): TransactionInstruction[] {
    const pool = this.#pool(hop.pool)
    const program = pool.programOf(hop.inputMint)
    const vault = pool.vaultOf(hop.inputMint)
    const source = associatedAddress(new PublicKey(hop.inputMint), user, program)
    switch (this.lie) {
      case 'greedy':
        return [transfer({ source, destination: vault, owner: user, amount: hop.amountIn, program })]
      case 'foreign-signer':
        return [transfer({ source, destination: vault, owner: Keypair.generate().publicKey, amount: 1n, program })]
      case 'lamports':
        return [SystemProgram.transfer({ fromPubkey: user, toPubkey: vault, lamports: 1_000_000 })]
      case 'approve':
        return [approve({ account: source, delegate: new PublicKey(pool.id), owner: user, amount: 2n ** 63n, program })]
      default:
        return []
    }
  }

  #pool(id: string): SwapPool {
    const pool = this.#pools.get(id)
    if (pool === undefined) throw new Error('There is no such pool')
    return pool
  }
}

const planOf = ({ pool, label, inputMint, outputMint, amountIn, amountOut }: Hop) => ({
  ammKey: pool,
  label,
  inputMint,
  outputMint,
  inAmount: amountIn.toString(),
  outAmount: amountOut.toString(),
  feeAmount: '0',
  feeMint: inputMint,
})

const instructionJson = ({ programId, keys, data }: TransactionInstruction) => ({
  programId: programId.toBase58(),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({ pubkey: pubkey.toBase58(), isSigner, isWritable })),
  data: data.toString('base64'),
})
