import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { SqlLive } from '../address/sqlLive.js'
import type { DepositEvent, DepositEvidence, WatchPage } from '../chain/chainAdapter.js'
import type { DepositReference } from '../chain/chainReferences.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { Json } from '../chain/json.js'
import { storedTx } from '../chain/txLocator.js'
import type { Clock } from '../clock/clock.js'
import { type Lease, type LeaseKeeper, pause } from '../database/leases.js'
import { HINT_CHANNEL, type Notifier } from '../database/notifier.js'
import { ServiceError } from '../errors/serviceError.js'
import { type Reorganization, replacedBlocks } from './chainHalt.js'
import type { DepositIngest } from './depositIngest.js'
import { findDepositsAbove, findDepositsBetween, type StoredDeposit } from './depositStore.js'
import { findOverlooked, NamedTransactions } from './namedTransactions.js'
import { recheckDeposits } from './recheckDeposits.js'

interface WatcherDeps {
  readonly pool: Pool
  readonly leases: LeaseKeeper
  readonly ingest: DepositIngest
  readonly clock: Clock
  readonly notifier: Notifier
  readonly log: Logger
}

const RETRY_MS = 1_000
/** Deposits of a chain that are looked up again at once. */
const MOST_DOUBTS = 256

/** Stored deposits that a second reading of their blocks does not show as they are. */
const doubtful = (stored: readonly StoredDeposit[], shown: readonly DepositEvent[]): readonly DepositReference[] => {
  const known = new Set(
    shown.map(({ tx, position, money }) => `${tx.id}:${position}:${money.currency}:${money.amount}`),
  )
  return stored
    .filter(({ txId, position, currency, amount }) => !known.has(`${txId}:${position}:${currency}:${amount}`))
    .map(referenceOf)
}

const referenceOf = (deposit: StoredDeposit): DepositReference => ({
  tx: storedTx(deposit),
  position: deposit.position,
  height: deposit.blockHeight,
})

/** Height up to which a chain was read, as stored. */
const readHeight = async (pool: Pool, chainId: number): Promise<bigint> => {
  const { rows } = await pool.query<{ height: string }>(
    'select height::text as height from chain_cursors where chain_id = $1',
    [chainId],
  )
  return BigInt(rows[0]?.height ?? 0)
}

/** What was overlooked is taken up without moving on. */
const pageOf = ({ cursor, height, tip }: WatchPage, deposits: WatchPage['deposits']): WatchPage => ({
  deposits,
  cursor,
  height,
  tip,
  rewoundTo: null,
})

/**
 * Versions before this one kept a second place for what came to addresses, and hosts of theirs may read a chain in turn with this one during an
 * upgrade. `arrivals_height` is how far this version read both; a height that is not it was stored by such a host.
 */
const CURSOR = `select c.cursor, case when greatest(c.arrivals_height, a.height) < c.height then greatest(c.arrivals_height, a.height)::text end as arrivals
  from chain_cursors c left join address_cursors a using (chain_id) where c.chain_id = $1`

/**
 * Where a chain is read on; null: from its beginning. Where what came to addresses was read less far than deposits, from there: that cursor
 * does not know which blocks were read above it, so the deposits in them are looked up.
 */
const storedCursor = async ({ pool, clock, log }: WatcherDeps, chain: Chain): Promise<Json> => {
  const { adapter, config } = chain
  const chainId = config.id
  const { rows } = await pool.query<{ cursor: string; arrivals: string | null }>(CURSOR, [chainId])
  const [row] = rows
  if (row === undefined) return null
  if (row.arrivals !== null) {
    const read = BigInt(row.arrivals)
    const cursor = await adapter.cursorAt?.(read + 1n)
    if (cursor !== undefined) {
      const above = await findDepositsAbove(pool, chainId, read)
      await recheckDeposits({ pool, chain }, above.map(referenceOf), clock.now())
      return cursor
    }
    log.warn(
      { chainId, from: row.arrivals },
      'This chain cannot be read again: what came to its addresses since is found when they are looked at',
    )
  }
  return JSON.parse(row.cursor)
}

/**
 * Reads what happens on one chain into the database: deposits, what comes to addresses, what users execute alone. One watcher per chain over
 * all hosts, by lease (architecture.md 3, step 2).
 */
export class DepositWatcher {
  readonly #deps: WatcherDeps
  /** By chain: deposits on which its providers do not agree. */
  readonly #doubts = new Map<number, readonly DepositReference[]>()

  constructor(deps: WatcherDeps) {
    this.#deps = deps
  }

  /** Runs until the signal aborts; whatever fails is tried again from the stored cursor. */
  async run(chain: Chain, signal: AbortSignal): Promise<void> {
    const { leases, notifier, log } = this.#deps
    const named = new NamedTransactions()
    notifier.on(
      HINT_CHANNEL,
      (payload) => {
        const [chainId, txId, caller = ''] = payload?.split(' ') ?? []
        if (chainId !== String(chain.config.id)) return
        if (txId !== undefined) named.add(txId, caller)
        chain.adapter.poke?.()
      },
      signal,
    )
    while (!signal.aborted) {
      try {
        await leases.run(`watch:${chain.config.id}`, signal, (lease) => this.#watch(chain, lease, named))
      } catch (error) {
        if (signal.aborted) return
        log.warn({ chainId: chain.config.id, err: error }, 'The watcher stopped and starts again')
        await pause(RETRY_MS, signal)
      }
    }
  }

  async #watch(chain: Chain, lease: Lease, named: NamedTransactions): Promise<void> {
    const { ingest, pool, clock, log } = this.#deps
    const live = new SqlLive({ pool, chainId: chain.config.id, now: () => clock.now() })
    const cursor = await storedCursor(this.#deps, chain)
    for await (const page of chain.adapter.watch(cursor, live, lease.signal)) {
      const { evidence, reorg } = await this.#rewound(chain, page)
      const halted = await ingest.apply(chain, page, evidence, lease, reorg)
      if (halted) this.#tellHalt(chain, reorg)
      const overlooked = await findOverlooked({ pool, chain, named, log }, page.height, clock.now())
      if (overlooked.length > 0) await ingest.apply(chain, pageOf(page, overlooked), [], lease)
      await this.#resolveDoubts(chain, page)
    }
  }

  /** What a second provider shows otherwise than it is stored is looked up at all of them, until they agree. */
  async #resolveDoubts(chain: Chain, page: WatchPage): Promise<void> {
    if (page.again === undefined) return
    const { pool, clock, log } = this.#deps
    const { id: chainId } = chain.config
    const fresh = doubtful(await findDepositsBetween(pool, chainId, page.again), page.deposits)
    const doubts = [...(this.#doubts.get(chainId) ?? []), ...fresh].slice(-MOST_DOUBTS)
    this.#doubts.set(chainId, doubts)
    if (doubts.length === 0) return
    const transactions = doubts.map(({ tx }) => tx.id)
    log.warn(
      { chainId, transactions },
      'A second provider shows deposits otherwise than they are stored: all are asked',
    )
    try {
      await recheckDeposits({ pool, chain }, doubts, clock.now())
      this.#doubts.delete(chainId)
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      log.warn({ chainId, err: error }, 'The providers do not agree on deposits yet; they are asked again')
    }
  }

  #tellHalt({ config }: Chain, reorg: Reorganization | null): void {
    this.#deps.log.error(
      { chainId: config.id, replaced: reorg?.replaced.toString(), settle: config.confirmations.settle },
      'Blocks deeper than "confirmations.settle" were replaced: nothing is decided or signed for deposits of this chain until an operator has looked (causeway halts)',
    )
  }

  /** After a rewind every stored deposit above it is looked up again: where it is now, if anywhere. It also tells how deep it went. */
  async #rewound(
    chain: Chain,
    page: WatchPage,
  ): Promise<{ readonly evidence: readonly DepositEvidence[]; readonly reorg: Reorganization | null }> {
    if (page.rewoundTo === null) return { evidence: [], reorg: null }
    const { pool } = this.#deps
    const [stored, height] = await Promise.all([
      findDepositsAbove(pool, chain.config.id, page.rewoundTo),
      readHeight(pool, chain.config.id),
    ])
    const references = stored.map(referenceOf)
    const evidence = references.length === 0 ? [] : await chain.adapter.recheckDeposits(references)
    return { evidence, reorg: { height, replaced: replacedBlocks(chain, page, height, { stored, evidence }) } }
  }
}
