import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { DirectCapability } from '../../chain/chainAdapter.js'
import type { TxRef } from '../../chain/chainReferences.js'
import type { Chain } from '../../chain/chainRegistry.js'
import type { DirectRequest } from '../../chain/swaps.js'
import { locatorOf, locatorText, storedTx } from '../../chain/txLocator.js'
import type { Clock } from '../../clock/clock.js'
import { toBytea } from '../../database/hexBytea.js'
import { pause } from '../../database/leases.js'
import type { Notifier } from '../../database/notifier.js'
import { withRetries } from '../../database/pool.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { Hex } from '../../money/hex.js'
import { holderKey } from '../../quote/quoteHolder.js'
import type { QuoteTerms } from '../../quote/quoteTerms.js'
import { findDirectTerms, recordDirectFailure, recordExecutions } from '../recordExecutions.js'
import { DirectWakes } from './directWakes.js'

/** A transaction that is said to carry out a request which its user executes alone. */
export interface NotedTransaction extends Pick<TxRef, 'locator'> {
  readonly requestId: Hex
  readonly txId: string
}

/** Maximum transactions of one request that one caller may report: clients replace a transaction a few times. */
export const MAX_PER_CALLER = 5
/** Reporter of transactions that the watcher found by their own text. */
export const FOUND_ON_CHAIN = holderKey('chain')
const FIRST_LOOK_MS = 300
const MAX_LOOK_MS = 10_000
export const GIVE_UP_MS = 3_600_000
/** One that was noted less than this ago is looked at in each block, as a fill is. */
const FRESH_MS = 120_000
const BATCH = 50
const IDLE_MS = 500

/**
 * Stores transactions to be looked at by `DirectTracker`, in any process, also after a crash of this one. Known ones stay as
 * they are, but for a locator that is known now. `reporter`: `holderOf` the caller that names them, null for the service itself and for
 * trusted callers. Each is counted alone, so that reports of one caller use up no room of another's (faults.md F153).
 */
export const noteDirectTransactions = async (
  db: Pool | PoolClient,
  { chainId, reporter = null }: { readonly chainId: number; readonly reporter?: string | null },
  noted: readonly NotedTransaction[],
  now: number,
): Promise<void> => {
  if (noted.length === 0) return
  await db.query({
    name: 'direct_note',
    text: `with n as (
        select * from jsonb_to_recordset($1::jsonb) as n(request_id text, tx_id text, locator text)
      ), located as (
        update direct_transactions d set locator = n.locator from n
        where d.request_id = decode(n.request_id, 'hex') and d.tx_id = n.tx_id and n.locator is not null
      )
      insert into direct_transactions (request_id, chain_id, tx_id, next_look_at, give_up_at, locator, reporter)
      select decode(n.request_id, 'hex'), $2, n.tx_id, to_timestamp($3 / 1000.0), to_timestamp(($3 + $4) / 1000.0), n.locator, $6
      from n where (select count(*) from direct_transactions d
        where d.request_id = decode(n.request_id, 'hex') and d.reporter is not distinct from $6::bigint) < $5
      on conflict do nothing`,
    values: [
      JSON.stringify(
        noted.map(({ requestId, txId, locator }) => ({
          request_id: requestId.slice(2),
          tx_id: txId,
          locator: locatorText(locator),
        })),
      ),
      chainId,
      now,
      GIVE_UP_MS,
      MAX_PER_CALLER,
      reporter === null ? null : holderKey(reporter),
    ],
  })
}

interface Claimed extends NotedTransaction {
  readonly givenUp: boolean
}

/** Takes what is due, so that several hosts share it; each is due again ever later. `woken`: also what was noted just now. */
const claimDue = async (pool: Pool, chainId: number, now: number, woken: boolean): Promise<Claimed[]> => {
  const { rows } = await pool.query<{ request_id: string; tx_id: string; locator: string | null; given_up: boolean }>({
    name: 'direct_claim',
    text: `update direct_transactions d set attempts = d.attempts + 1,
        next_look_at = to_timestamp(($2 + least($3 * power(2, least(d.attempts, 10)), $4)) / 1000.0)
      from (
        select request_id, tx_id from direct_transactions
        where chain_id = $1 and (next_look_at <= to_timestamp($2 / 1000.0)
          or $6 and give_up_at > to_timestamp(($2 + ${GIVE_UP_MS - FRESH_MS}) / 1000.0))
        order by next_look_at limit $5 for update skip locked
      ) due where d.request_id = due.request_id and d.tx_id = due.tx_id
      returning encode(d.request_id, 'hex') as request_id, d.tx_id, d.locator, d.give_up_at <= to_timestamp($2 / 1000.0) as given_up`,
    values: [chainId, now, FIRST_LOOK_MS, MAX_LOOK_MS, BATCH, woken],
  })
  return rows.map((row) => ({
    requestId: `0x${row.request_id}`,
    txId: row.tx_id,
    ...locatorOf(row.locator),
    givenUp: row.given_up,
  }))
}

const forget = async (db: Pool | PoolClient, requestIds: readonly Hex[]): Promise<void> => {
  if (requestIds.length === 0) return
  await db.query({
    name: 'direct_forget',
    text: 'delete from direct_transactions where request_id = any($1)',
    values: [requestIds.map(toBytea)],
  })
}

/** Those that failed, or that nobody found in their time; others that were noted for the same request are still looked at. */
const giveUp = async (db: Pool | PoolClient, noted: readonly NotedTransaction[]): Promise<void> => {
  if (noted.length === 0) return
  await db.query({
    name: 'direct_give_up',
    text: `delete from direct_transactions d using unnest($1::bytea[], $2::text[]) as n(request_id, tx_id)
      where d.request_id = n.request_id and d.tx_id = n.tx_id`,
    values: [noted.map(({ requestId }) => toBytea(requestId)), noted.map(({ txId }) => txId)],
  })
}

export interface DirectTrackerDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly notifier: Notifier
  readonly log: Logger
}

/**
 * Looks at noted transactions of one chain until it shows them `confirmations.success` deep (wire.md K.2 3), then finishes
 * their requests. What a transaction did is read from the chain each time, so one that left it again finishes nothing.
 */
export class DirectTracker {
  readonly #deps: DirectTrackerDeps

  constructor(deps: DirectTrackerDeps) {
    this.#deps = deps
  }

  async run(chain: Chain, signal: AbortSignal): Promise<void> {
    const { direct } = chain.adapter
    if (direct === undefined) return pause(2 ** 31 - 1, signal)
    const wakes = new DirectWakes(chain, this.#deps.notifier, signal)
    for (let woken = true; !signal.aborted; woken = await wakes.wait(IDLE_MS))
      wakes.heedsHeads = await this.#look(chain, direct, woken)
  }

  /** One look at what is due; false where nothing was. */
  async #look(chain: Chain, direct: DirectCapability, woken: boolean): Promise<boolean> {
    const { pool, clock } = this.#deps
    const due = await claimDue(pool, chain.config.id, clock.now(), woken)
    if (due.length === 0) return false
    const terms = await findDirectTerms(pool, [...new Set(due.map(({ requestId }) => requestId))])
    await forget(
      pool,
      due.filter(({ requestId }) => !terms.has(requestId)).map(({ requestId }) => requestId),
    )
    const tip = await this.#tip(chain)
    if (tip === null) return true
    const absent = await Promise.all(
      due.map(async (noted) => {
        const asked = terms.get(noted.requestId)
        const tx = storedTx(noted)
        return asked !== undefined && (await this.#finish(chain, direct, { terms: asked, tx, tip })) === 'absent'
      }),
    )
    await giveUp(
      pool,
      due.filter(({ givenUp }, at) => givenUp && absent[at] === true),
    )
    return true
  }

  async #tip(chain: Chain): Promise<bigint | null> {
    try {
      return (await chain.adapter.tip()).height
    } catch (error) {
      return this.#putOff(error, chain)
    }
  }

  /** `absent` where the chain says that there is no such transaction; a chain that does not answer says nothing. */
  async #finish(
    chain: Chain,
    direct: DirectCapability,
    { terms, tx, tip }: { readonly terms: QuoteTerms; readonly tx: TxRef; readonly tip: bigint },
  ): Promise<'absent' | null> {
    const { pool, clock } = this.#deps
    try {
      const found = await (direct.outcome?.(tx, requestOf(terms)) ?? direct.find(tx, requestOf(terms)))
      if (found === null) return 'absent'
      const depth = tip - found.block.height + 1n
      if (depth < BigInt(chain.config.confirmations.success)) return null
      await withRetries(pool, async (client) => {
        if ('failed' in found) {
          await recordDirectFailure(client, chain, found, clock.now())
          return giveUp(client, [{ requestId: terms.requestId, txId: tx.id }])
        }
        await recordExecutions(client, chain, [found], clock.now())
        await forget(client, [terms.requestId])
      })
      return null
    } catch (error) {
      return this.#putOff(error, chain)
    }
  }

  /** A chain that does not answer is asked again at the next look; anything else is a defect. */
  #putOff(error: unknown, chain: Chain): null {
    if (!ServiceError.is(error)) throw error
    this.#deps.log.warn({ chainId: chain.config.id, err: error }, 'A transaction without solver could not be looked at')
    return null
  }
}

/** A call that is sent for its user is followed as what it is, and never looked up by these. */
const kindOf = ({ direct }: QuoteTerms): DirectRequest['kind'] =>
  direct === undefined || direct.kind === 'call' ? 'swap' : direct.kind

const requestOf = (terms: QuoteTerms): Parameters<DirectCapability['find']>[1] => ({
  kind: kindOf(terms),
  requestId: terms.requestId,
  from: terms.user,
  // One with a tag or memo is paid by the solver.
  recipient: terms.recipient.address,
  money: { currency: terms.origin.currency, amount: terms.depositAmount },
  currencyOut: terms.destination.currency,
})
