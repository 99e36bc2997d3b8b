import type { Pool, PoolClient } from 'pg'
import type { ArrivalPage } from '../chain/address/depositAddresses.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { Clock } from '../clock/clock.js'
import { type Lease, withLease } from '../database/leases.js'
import { wakeLane } from '../database/notifier.js'
import { failpoint } from '../failpoint/failpoint.js'
import { changeAddressBooks } from './addressBooks.js'
import { announceArrivals, withdrawAnnouncements } from './announcedDeposits.js'
import { partsOf } from './arrivalParts.js'
import { type ChangedArrival, expectAt, rewindArrivals, saveArrivals } from './arrivalStore.js'
import { takeTold } from './sweptArrivals.js'

interface IngestDeps {
  readonly pool: Pool
  readonly clock: Clock
}

/** How often the cursor is written while nothing comes: a refund to an unknown sender waits until it is beyond the sweep. */
const CURSOR_MS = 5_000

/** Applies pages of a chain's watcher of addresses: arrivals, their books and the cursor. A page that is applied twice changes nothing. */
export class ArrivalIngest {
  readonly #deps: IngestDeps
  readonly #written = new Map<number, { readonly at: number; readonly lease: Lease }>()

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  /** Throws LeaseLostError when another host watches this chain now. */
  async apply(chain: Chain, page: ArrivalPage, lease: Lease): Promise<void> {
    const { arrivals, rewoundTo } = page
    if (arrivals.length === 0 && rewoundTo === null && !this.#isCursorDue(chain, lease)) return
    const parts = partsOf(arrivals)
    if (arrivals.length > 0) await failpoint('arrivals.commit.before')
    for (const [at, some] of parts.entries()) {
      const part = { ...page, arrivals: some, rewoundTo: at === 0 ? rewoundTo : null }
      await withLease(this.#deps.pool, lease, async (client) => {
        await this.#applyPart(client, chain, part)
        if (at === parts.length - 1) await saveCursor(client, chain, page, this.#deps.clock.now())
      })
    }
    this.#written.set(chain.config.id, { at: performance.now(), lease })
    if (arrivals.length > 0) await failpoint('arrivals.commit.after')
  }

  #isCursorDue({ config }: Chain, lease: Lease): boolean {
    const written = this.#written.get(config.id)
    return written === undefined || written.lease !== lease || performance.now() - written.at >= CURSOR_MS
  }

  async #applyPart(client: PoolClient, chain: Chain, { arrivals, rewoundTo }: ArrivalPage): Promise<void> {
    const now = this.#deps.clock.now()
    const { id: chainId } = chain.config
    const left = rewoundTo === null ? [] : await rewindArrivals(client, chainId, rewoundTo)
    const changed = [...left, ...(await saveArrivals(client, chainId, arrivals, now))]
    if (changed.length === 0) return
    const deps = { client, chain, now }
    await changeAddressBooks(
      client,
      changed.flatMap((arrival) => bookChange(chainId, arrival)),
      now,
    )
    const included = changed.filter(({ state }) => state === 'included')
    const taken = await takeTold(client, chainId, included)
    const isGone = (arrival: ChangedArrival): boolean => !isHere(arrival) || taken.has(arrival)
    const paid = await announceArrivals(
      changed.filter((arrival) => !isGone(arrival)),
      deps,
    )
    await withdrawAnnouncements(changed.filter(isGone), deps)
    const unswept = included.filter((arrival) => !taken.has(arrival))
    const addressIds = [...new Set(unswept.map(({ addressId }) => addressId))]
    await expectAt(client, chainId, { addressIds, paid }, now)
    if (unswept.length > 0) await wakeLane(client, chainId)
  }
}

const isHere = ({ state }: ChangedArrival): boolean => state === 'seen' || state === 'included'

const bookChange = (chainId: number, { addressId, currency, amount, state, before }: ChangedArrival) => {
  const is = state === 'included' ? 1n : 0n
  const was = before === 'included' ? 1n : 0n
  return is === was ? [] : [{ addressId, chainId, currency, arrived: (is - was) * amount }]
}

const saveCursor = async (
  client: PoolClient,
  chain: Chain,
  { cursor, height, tip }: Pick<ArrivalPage, 'cursor' | 'height' | 'tip'>,
  now: number,
): Promise<void> => {
  await client.query({
    name: 'address_cursor_save',
    text: `insert into address_cursors (chain_id, cursor, height, tip, updated_at) values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
      on conflict (chain_id) do update set cursor = excluded.cursor, height = excluded.height, tip = excluded.tip, updated_at = excluded.updated_at`,
    values: [chain.config.id, JSON.stringify(cursor), height.toString(), tip.toString(), now],
  })
}
