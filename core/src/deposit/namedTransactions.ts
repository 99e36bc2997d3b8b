import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { TRUSTED_CALLER } from '../request/requestReader.js'

/** Transactions that wait at most, and those of one caller: anyone may name some. */
const MOST_WAITING = 64
const MOST_OF_CALLER = 8
/** Those of trusted keys and of operators' commands. */
const MOST_TRUSTED = 1_000
/** Transactions that are looked up at once. */
const AT_ONCE = 8
/** Milliseconds before each further try. After the last one a transaction is dropped. */
const RETRY_MS = [1_000, 10_000, 60_000, 300_000] as const
/** Deposits of one transaction: so many are looked for at once, and at most. */
const POSITIONS_AT_ONCE = 4
const MOST_POSITIONS = 64

interface Named {
  readonly caller: string
  tries: number
  /** Unix milliseconds. */
  dueAt: number
}

/** Transactions of a chain that somebody named, until its watcher has looked each of them up. */
export class NamedTransactions {
  readonly #waiting = new Map<string, Named>()

  /** Ignores a transaction for which its caller, or all callers, have too many waiting. */
  add(id: string, caller: string): void {
    if (this.#waiting.has(id)) return
    const others = [...this.#waiting.values()].filter((named) => named.caller !== TRUSTED_CALLER)
    const own = caller === TRUSTED_CALLER ? this.#waiting.size - others.length : this.#countOf(caller, others)
    const most = caller === TRUSTED_CALLER ? MOST_TRUSTED : MOST_OF_CALLER
    if (own >= most || (caller !== TRUSTED_CALLER && others.length >= MOST_WAITING)) return
    this.#waiting.set(id, { caller, tries: 0, dueAt: 0 })
  }

  /** Those to be looked up now: a few, the untried first. They wait until they are forgotten, or dropped after failures. */
  due(now: number): readonly string[] {
    return [...this.#waiting]
      .filter(([, { dueAt }]) => dueAt <= now)
      .sort(([, left], [, right]) => left.dueAt - right.dueAt)
      .slice(0, AT_ONCE)
      .map(([id]) => id)
  }

  forget(id: string): void {
    this.#waiting.delete(id)
  }

  /** Puts one off that could not be looked up. Returns false when that was its last try. */
  putOff(id: string, now: number): boolean {
    const named = this.#waiting.get(id)
    const wait = named === undefined ? undefined : RETRY_MS[named.tries]
    if (named === undefined || wait === undefined) {
      this.#waiting.delete(id)
      return false
    }
    named.tries += 1
    named.dueAt = now + wait
    return true
  }

  #countOf(caller: string, among: readonly Named[]): number {
    return among.filter((named) => named.caller === caller).length
  }
}

export interface OverlookedDeps {
  readonly pool: Pool
  readonly chain: Chain
  readonly named: NamedTransactions
  readonly log: Logger
}

/**
 * Deposits of named transactions up to a height that was read, of which no row says that they are there: the node that was read then did
 * not show them. Each transaction is looked up by itself, so that one which no node shows legibly holds up no other.
 */
export const findOverlooked = async (
  { pool, chain, named, log }: OverlookedDeps,
  height: bigint,
  now: number,
): Promise<readonly DepositEvent[]> => {
  const ids = named.due(now)
  if (ids.length === 0) return []
  const { rows } = await pool.query<{ id: string }>({
    name: 'deposits_named',
    text: `select n.id from unnest($2::text[]) n(id) where not exists (select from deposits d where d.chain_id = $1 and d.tx_id = n.id and d.state = 'included')`,
    values: [chain.config.id, ids],
  })
  const unknown = new Set(rows.map(({ id }) => id))
  const lookUp = async (id: string): Promise<readonly DepositEvent[]> => {
    try {
      const deposits = unknown.has(id) ? await depositsOf(chain, id) : []
      named.forget(id)
      return deposits.filter((deposit) => isRead(deposit, height))
    } catch (error) {
      if (!named.putOff(id, now))
        log.warn({ chainId: chain.config.id, txId: id, err: error }, 'A named transaction cannot be looked up: dropped')
      return []
    }
  }
  return (await Promise.all(ids.map(lookUp))).flat()
}

/** As many as the chain shows, a few at a time: most transactions hold one. */
const depositsOf = async ({ adapter }: Chain, id: string): Promise<readonly DepositEvent[]> => {
  const found: DepositEvent[] = []
  for (let from = 0; from < MOST_POSITIONS; from += POSITIONS_AT_ONCE) {
    const positions = Array.from({ length: POSITIONS_AT_ONCE }, (_, at) => from + at)
    const evidence = await adapter.recheckDeposits(positions.map((position) => ({ tx: { id }, position })))
    const present = evidence.flatMap(({ finding, deposit }) =>
      finding === 'present' && deposit !== undefined ? [deposit] : [],
    )
    found.push(...present)
    if (present.length < POSITIONS_AT_ONCE) break
  }
  return found
}

/** What lies above is read by the watcher as it comes to it. */
const isRead = ({ state, block }: DepositEvent, height: bigint): boolean =>
  state === 'included' && block !== null && block.height <= height
