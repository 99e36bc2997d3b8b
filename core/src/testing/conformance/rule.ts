import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import type { RuleId } from './ruleIds.js'

/** One rule of the kit: what an adapter must do, and the code that proves it. */
export interface Rule {
  readonly id: RuleId
  readonly says: string
  /** Ability of the harness it needs; a chain without it declares a deviation. */
  readonly needs?: {
    readonly ability: string
    isThere(harness: ConformanceHarness): boolean
  }
  /** True for a rule that a chain may be unable to keep for a reason other than a missing ability. */
  readonly mayDeviate?: boolean
  /** Why the rule has no meaning for what the adapter declares to be; null when it has. */
  exemption?(harness: ConformanceHarness): string | null
  /** Throws an Error that says what the adapter did wrong. */
  run(harness: ConformanceHarness): Promise<void>
}

/** Exempts what is about blocks that are replaced where the adapter declares that none ever is; `declarations` asks whether it may. */
export const nothingLeaves = ({ adapter }: ConformanceHarness): string | null =>
  adapter.capabilities.absoluteFinality === true
    ? 'nothing ever leaves the chain (capabilities.absoluteFinality)'
    : null

/** How long the kit waits unless the harness says otherwise. */
export const PATIENCE_SECONDS = 20

/** Throws unless `holds`. */
export function check(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem)
}

/** An id that the adapter itself gives is one by the form that it declares, and spelled so. */
export const checkOwnId = ({ adapter }: ConformanceHarness, id: string): void => {
  const read = adapter.checkTransactionId?.(id)
  check(
    read === undefined || (read.ok && read.canonical === id),
    `checkTransactionId takes ${id} for none, or spells it otherwise`,
  )
}

/** The value, or an Error with the problem. */
export const there = <T>(value: T | null | undefined, problem: string): T => {
  if (value === null || value === undefined) throw new Error(problem)
  return value
}

/** Asks until the answer is not null; throws after the time. */
export const eventually = async <T>(
  what: string,
  ask: () => Promise<T | null>,
  seconds = PATIENCE_SECONDS,
): Promise<T> => {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > deadline) throw new Error(`${seconds} seconds passed without ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Throws when the work takes longer, however it ends. */
export const within = async (what: string, seconds: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${seconds} seconds`)), seconds * 1000)
  })
  const ended = work.then(
    () => undefined,
    () => undefined,
  )
  try {
    await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs once for each currency; a failure names the currency. */
export const forEachCurrency = async (
  { currencies }: ConformanceHarness,
  run: (currency: string) => Promise<void>,
): Promise<void> => {
  for (const currency of currencies) {
    await run(currency).catch((error: unknown) => {
      throw new Error(`${currency}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
  }
}

/** The native currency: the first one given. */
export const nativeOf = ({ currencies }: ConformanceHarness): string =>
  there(currencies[0], 'the harness names no currency')

/** Height of the newest block, `least` or above; waits until the adapter has heard of it. */
export const steadyTip = async (
  { adapter }: Pick<ConformanceHarness, 'adapter'>,
  least: bigint = 0n,
): Promise<bigint> => {
  let tip = (await adapter.tip()).height
  for (let still = 0, asked = 0; still < 3 && asked < 60; asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, 60))
    const next = (await adapter.tip()).height
    still = next === tip && next >= least ? still + 1 : 0
    tip = next
  }
  return tip
}

/** How many of the newest blocks of the local chain hold this height; waits until the adapter has heard of the newest. */
export const depthOf = async (harness: ConformanceHarness, height: bigint): Promise<number> => {
  await steadyTip(harness, height)
  return Number(BigInt(await harness.height()) - height) + 1
}

/** A started adapter over these endpoints, for as long as `use` takes. */
export const withAdapter = async <T>(
  create: ChainAdapter | Promise<ChainAdapter>,
  use: (adapter: ChainAdapter) => Promise<T>,
): Promise<T> => {
  const adapter = await create
  try {
    await adapter.start(new AbortController().signal)
    return await use(adapter)
  } finally {
    await adapter.stop()
  }
}
