import type { Pool } from 'pg'
import { until } from '../../harness/until.js'
import { percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { type AddressBench, AMOUNT, type GivenAddress, giveAddress, readHost } from './addressBench.js'

const SWEPT_MS = 300
const GROWN_MB = 50
/** Of one block. */
const DUST_AT_ONCE = 500
const DELAY_MS = 200

/** What one payment took until it stood in the depository, and until its recipient was paid; milliseconds. */
interface Paid {
  readonly swept: number
  readonly filled: number
}

/** From sending a payment to an address, whose block the chain makes at once. */
const payOne = async ({ payer, swept, filled, origin }: AddressBench, to: GivenAddress): Promise<Paid> => {
  const raw = await payer.signTransfer(to.address, AMOUNT)
  swept.forget(origin.depository)
  const paid = filled.paid(to.recipient)
  const inDepository = swept.paid(origin.depository)
  const sentAt = performance.now()
  await payer.send(raw)
  return { swept: (await inDepository) - sentAt, filled: (await paid) - sentAt }
}

const timesOf = (payments: readonly Paid[], of: keyof Paid): number =>
  percentile(
    payments.map((payment) => payment[of]).sort((left, right) => left - right),
    0.5,
  )

const LEGS = ['ordered', 'broadcast'] as const

/** Medians of what the database says of sweeps: from the payment's arrival in it to the order of the sweep, to its broadcast. */
const legsOf = async ({ pool }: AddressBench, requestIds: readonly string[]): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ ordered: number; broadcast: number }>(
    `select percentile_cont(0.5) within group (order by extract(epoch from p.created_at - v.created_at) * 1000)::float8 as ordered,
       percentile_cont(0.5) within group (order by extract(epoch from p.first_broadcast_at - p.created_at) * 1000)::float8 as broadcast
     from deposit_addresses a join deposit_arrivals v on v.address_id = a.id join payouts p on p.address_id = a.id and p.purpose = 'sweep'
     where a.request_id = any($1::bytea[])`,
    [requestIds.map((id) => Buffer.from(id.slice(2), 'hex'))],
  )
  return { ...rows[0] }
}

/** Payments one after the other, then one beside thousands worth less than their sweep at another address. */
export const measurePayments = async (bench: AddressBench): Promise<Measurement[]> => {
  const { payments, dust } = bench.world.scale.addresses
  await payOne(bench, await giveAddress(bench))
  bench.world.say(`addresses: ${payments} payments`)
  const given: GivenAddress[] = []
  const quiet: Paid[] = []
  for (let index = 0; index < payments; index += 1) {
    const to = await giveAddress(bench)
    given.push(to)
    quiet.push(await payOne(bench, to))
  }
  const legs = await legsOf(
    bench,
    given.map(({ requestId }) => requestId),
  )
  bench.world.say(`addresses: ${dust} dust payments`)
  const flooded = await beside(bench, dust)
  const [swept, filled] = [timesOf(quiet, 'swept'), timesOf(quiet, 'filled')]
  const line = (what: string, value: number, more: Partial<Measurement> = {}): Measurement => ({
    ...{ case: 't', what, unit: 'ms', value },
    ...more,
  })
  return [
    line('payment in a block to its sweep, p50', swept, { target: { of: 'value', limit: SWEPT_MS, better: 'less' } }),
    ...LEGS.flatMap((leg) => (legs[leg] === undefined ? [] : [line(`of it until ${leg}, p50`, legs[leg])])),
    line('payment in a block to its fill, p50', filled),
    line(`payment to its fill beside ${dust} dust payments`, flooded.filled, {
      floor: filled,
      floorIs: 'without them',
    }),
    line(`event loop delay by ${dust} dust payments`, flooded.delayMs, {
      target: { of: 'value', limit: DELAY_MS, better: 'less' },
    }),
    {
      ...{ case: 't', what: `resident memory after ${dust} dust payments`, unit: 'MB', value: flooded.after },
      ...{ floor: flooded.before, floorIs: 'before them' },
      target: { of: 'value', limit: flooded.before + GROWN_MB, better: 'less' },
    },
  ]
}

/** Sends dust to one address, block after block, and with the last of it a payment to another one. */
const beside = async (bench: AddressBench, dust: number) => {
  const { payer, origin, pool } = bench
  const [dusty, other] = [await giveAddress(bench), await giveAddress(bench)]
  const raws: `0x${string}`[] = []
  for (let index = 0; index < dust; index += 1) raws.push(await payer.signTransfer(dusty.address, 1n))
  const { megabytes: before } = await readHost(bench)
  for (let at = 0; at < dust; at += DUST_AT_ONCE) {
    const part = raws.slice(at, at + DUST_AT_ONCE)
    await origin.chain.setAutomine(false)
    await Promise.all(part.map((raw) => payer.send(raw)))
    await origin.chain.setAutomine(true)
    await origin.chain.mine(1)
  }
  const { filled } = await payOne(bench, other)
  await storedAll(pool, dusty, dust)
  const { megabytes: after, delayMs } = await readHost(bench)
  return { filled, before, after, delayMs }
}

/** Every dust payment is in the books, and waits as what it is: worth less than its sweep. */
const storedAll = (pool: Pool, { requestId }: GivenAddress, count: number): Promise<true> =>
  until(
    'all dust to be stored',
    async () => {
      const { rows } = await pool.query<{ stored: number; waits: boolean }>(
        `select (select count(*)::int from deposit_arrivals v where v.address_id = a.id) as stored,
           exists (select from deposit_address_places p where p.address_id = a.id and p.trouble is not null) as waits
         from deposit_addresses a where a.request_id = $1`,
        [Buffer.from(requestId.slice(2), 'hex')],
      )
      return rows[0]?.stored === count && rows[0].waits ? true : null
    },
    PATIENCE_MS,
  )

const PATIENCE_MS = 120_000
