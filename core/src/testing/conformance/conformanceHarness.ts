import type { ChainAdapter, Json, WatchPage } from '../../chain/chainAdapter.js'
import type { Signer } from '../../chain/signer.js'
import type { Hex } from '../../money/hex.js'

/**
 * What a chain team hands to the conformance kit: a started adapter over a local chain of its kind, and the means to make things
 * happen there. Any test runner can run the cases.
 */
export interface ConformanceHarness {
  /** Started, with `start`, over the local chain. */
  readonly adapter: ChainAdapter
  /** Key of the solver; its account is funded in every currency given here. */
  readonly signer: Signer
  /** Key that signs withdrawals, where the chain has them. */
  readonly allocator: Signer | null
  /** A user who holds `currencies`. */
  readonly user: {
    readonly address: string
    /** Sends the `data` of one step item as the user's wallet would, waits until it is included, returns its id. */
    send(data: Json): Promise<string>
  }
  /** Canonical currencies to run the money cases with; the native one first. */
  readonly currencies: readonly string[]
  /** An amount of each that is large against fees and small against the balances. */
  readonly amount: bigint
  /** A new address that can receive. */
  freshAddress(): string
  /** Texts that are no addresses of this chain, at least one of them valid on another VM. */
  readonly foreignAddresses: readonly string[]
  /** Includes what is pending and adds blocks. */
  advance(blocks: number): Promise<void>
  /** Drops the newest blocks with what they held, where the local chain can. */
  readonly reorg: ((depth: number) => Promise<void>) | null
}

/** One rule and the code that proves it: `run` throws an Error that says what the adapter did wrong. */
export interface ConformanceCase {
  readonly name: string
  run(): Promise<void>
}

/** Throws unless `holds`. */
export const check = (holds: boolean, problem: string): void => {
  if (!holds) throw new Error(problem)
}

let orders = 0

/** An order id no other case uses. */
export const newOrderId = (): Hex => {
  orders += 1
  return `0x${'c0'.repeat(24)}${orders.toString(16).padStart(16, '0')}`
}

/** Asks until the answer is not null; throws after ten seconds. */
export const eventually = async <T>(what: string, ask: () => Promise<T | null>): Promise<T> => {
  const deadline = performance.now() + 10_000
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > deadline) throw new Error(`Ten seconds passed without ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Reads pages from a cursor until `enough` says so; throws after ten seconds. */
export const watchUntil = async (
  adapter: ChainAdapter,
  cursor: Json,
  enough: (pages: readonly WatchPage[]) => boolean,
): Promise<WatchPage[]> => {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), 10_000)
  const pages: WatchPage[] = []
  try {
    for await (const page of adapter.watch(cursor, stop.signal)) {
      pages.push(page)
      if (enough(pages)) return pages
    }
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
  throw new Error('Ten seconds of watching did not show what was expected')
}
