import { ServiceError } from '@causeway/core'
import type { SwapRequest } from '@causeway/core/chain'
import {
  type QuoteTerms,
  readInstructions,
  readQuote,
  type SourceInstructions,
  type SourceQuote,
} from './sourceAnswers.js'
import type { SwapSourceSettings } from './swapOptions.js'
import { mintOf } from './wrappedSol.js'

/** Whoever runs a route, and where its output goes. */
export interface RouteTerms {
  readonly user: string
  /** A token account; absent: the user's own. */
  readonly destination?: string
  readonly minimumOut: bigint
}

const MAX_ANSWER_BYTES = 512 * 1024
/** Accounts that a source may use for each pool; a hint of size to it, nothing relies on it. */
const ACCOUNTS_PER_HOP = 16
const SPARE_ACCOUNTS = 8
const MAX_ACCOUNTS = 64
/** Slippage is the caller's matter and is named when the instructions are asked for. */
const SLIPPAGE_BPS = '50'
const BPS = 10_000n

/** One HTTP source of swaps (chains.md svm 9). Nothing it says is believed before it is checked. */
export class SwapSource {
  readonly name: string
  readonly programs: readonly string[]
  readonly #settings: SwapSourceSettings

  constructor(settings: SwapSourceSettings) {
    this.name = settings.name
    this.programs = settings.programs
    this.#settings = settings
  }

  /** Null when it serves nothing of at most `maxHops` pools in a row. @throws Error when it does not answer */
  async quote({ kind, from, to, amount }: SwapRequest, maxHops: number): Promise<SourceQuote | null> {
    const terms = { kind, inputMint: mintOf(from), outputMint: mintOf(to), amount }
    if (terms.inputMint === terms.outputMint || amount <= 0n || maxHops < 1) return null
    const quote = await this.#ask(terms, maxHops)
    if (maxHops === 1 || quote === null || quote.hops <= maxHops) return short(quote, maxHops)
    // It took a longer way than it may; a single pool is what it can be held to.
    return short(await this.#ask(terms, 1), 1)
  }

  /** How the route of an exact-input quote runs. @throws ServiceError SWAP_QUOTE_FAILED */
  async instructions(quote: SourceQuote, terms: RouteTerms): Promise<SourceInstructions> {
    const { user, destination, minimumOut } = terms
    if (minimumOut > quote.amountOut) throw this.#failed('offers less than the least that is wanted')
    const slippageBps = Number(((quote.amountOut - minimumOut) * BPS) / quote.amountOut)
    // CAST: quotes are read from records only.
    const stated = quote.route as Readonly<Record<string, unknown>>
    const body = {
      quoteResponse: { ...stated, slippageBps, otherAmountThreshold: minimumOut.toString() },
      userPublicKey: user,
      wrapAndUnwrapSol: false,
      ...(destination === undefined ? {} : { destinationTokenAccount: destination }),
    }
    const answer = await this.#fetch('/swap-instructions', body).catch((cause: unknown) => {
      throw this.#failed('did not answer', cause)
    })
    const read = readInstructions(answer)
    if (read === null) throw this.#failed('answered something that cannot be run')
    return read
  }

  async #ask(terms: QuoteTerms, maxHops: number): Promise<SourceQuote | null> {
    const query = new URLSearchParams({
      inputMint: terms.inputMint,
      outputMint: terms.outputMint,
      amount: terms.amount.toString(),
      slippageBps: SLIPPAGE_BPS,
      swapMode: terms.kind === 'exact-input' ? 'ExactIn' : 'ExactOut',
      onlyDirectRoutes: String(maxHops === 1),
      maxAccounts: String(Math.min(SPARE_ACCOUNTS + ACCOUNTS_PER_HOP * maxHops, MAX_ACCOUNTS)),
    })
    return readQuote(await this.#fetch(`/quote?${query}`), terms)
  }

  /** @throws Error without the address, which may hold a key */
  async #fetch(path: string, body?: unknown): Promise<unknown> {
    const { url, apiKey, timeoutMs } = this.#settings
    const response = await fetch(`${url}${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await readBounded(response)
    if (!response.ok) throw new Error(`The swap source answered with status ${response.status}.`)
    return JSON.parse(text)
  }

  #failed(what: string, cause?: unknown): ServiceError {
    return new ServiceError('SWAP_QUOTE_FAILED', `The swap source ${this.name} ${what}. Ask for a new quote.`, {
      cause,
    })
  }
}

const short = (quote: SourceQuote | null, maxHops: number): SourceQuote | null =>
  quote !== null && quote.hops <= maxHops ? quote : null

const readBounded = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new Error('The swap source answers with more than it may.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
