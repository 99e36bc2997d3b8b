import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { PaymentWatch } from '../paymentWatch.js'
import { PendingWatch } from '../permits/pendingWatch.js'
import { PermitFloor } from '../permits/permitFloor.js'
import { PermitSource, type PreparedPermit } from '../permits/permitSource.js'
import { interleave, median, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'

const CASE = 'w'
const FLOOR_OWNER = 4
const FLOOR_SENDER = 3
/** All come from one address, faster than their deposits are in blocks. */
const UNCAPPED = { execute: { unpaidCapUsd: '1000000', totalUnpaidCapUsd: '1000000' } }
const FLOOR_IS = 'a script that signs and sends the call of the router, and keeps nothing'

/** (w) From posting a signature to its transaction in the node's pool, one at a time, and many posted at once through one key. */
export const measurePermits = async (world: BenchWorld): Promise<Measurement[]> => {
  const { network, scale } = world
  const host = await world.startHost({ databaseUrl: await world.createDatabase(), permits: true, gasless: UNCAPPED })
  await waitUntilQuoting(world, host.url)
  const source = new PermitSource(world)
  const floor = await PermitFloor.open(world, FLOOR_OWNER, FLOOR_SENDER)
  const pool = await PendingWatch.open(network.chains[0].chain.wsUrl)
  const payments = await PaymentWatch.open(network.chains[1])
  const contestants = {
    causeway: async () => oneByOne(pool, payments, await source.prepare(host.url, scale.transfersPerRound)),
    floor: async () => sendOneByOne(pool, await floor.prepare(scale.transfersPerRound)),
  }
  await contestants.floor()
  await contestants.causeway()
  const results = await interleave(scale.rounds, contestants, (round) =>
    world.say(`permits: round ${round + 1} of ${scale.rounds}`),
  )
  const rates: number[] = []
  const floorRates: number[] = []
  for (let round = 0; round < scale.rounds; round += 1) {
    world.say(`permits: ${scale.burst} at once, round ${round + 1} of ${scale.rounds}`)
    rates.push(await atOnce(pool, payments, await source.prepare(host.url, scale.burst)))
    floorRates.push(await sendInARow(pool, await floor.prepare(scale.burst)))
  }
  pool.close()
  payments.close()
  await world.stopHost(host)
  const one = (key: 'p50' | 'p99'): Measurement => ({
    case: CASE,
    what: `signature posted to transaction sent, ${key}`,
    unit: 'ms',
    value: results.causeway[key] ?? Number.NaN,
    floor: results.floor[key] ?? Number.NaN,
    floorIs: FLOOR_IS,
    ...(key === 'p50' ? { target: { of: 'value', limit: 40, better: 'less' } } : {}),
  })
  return [
    one('p50'),
    one('p99'),
    {
      case: CASE,
      what: `signatures of one key’s lane, ${scale.burst} posted at once`,
      unit: '/s',
      value: median(rates),
      floor: median(floorRates),
      floorIs: `${FLOOR_IS}, one after the other`,
      target: { of: 'value', limit: 50, better: 'more' },
    },
  ]
}

const summary = (times: number[]): Record<string, number> => {
  const sorted = Float64Array.from(times).sort()
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

/** The next is posted when the one before is filled, so that each has the host for itself. */
const oneByOne = async (pool: PendingWatch, payments: PaymentWatch, permits: readonly PreparedPermit[]) => {
  const times: number[] = []
  for (const { recipient, post } of permits) {
    payments.forget(recipient)
    pool.forget()
    const postedAt = performance.now()
    const [sentAt] = await Promise.all([pool.seen(1), post()])
    times.push(sentAt - postedAt)
    await payments.paid(recipient)
  }
  return summary(times)
}

const sendOneByOne = async (pool: PendingWatch, sends: readonly (() => Promise<void>)[]) => {
  const times: number[] = []
  for (const send of sends) {
    pool.forget()
    const startedAt = performance.now()
    const [sentAt] = await Promise.all([pool.seen(1), send()])
    times.push(sentAt - startedAt)
  }
  return summary(times)
}

/** Signatures a second, from the first post to the last transaction in the pool. */
const atOnce = async (pool: PendingWatch, payments: PaymentWatch, permits: readonly PreparedPermit[]) => {
  pool.forget()
  const startedAt = performance.now()
  const [lastAt] = await Promise.all([pool.seen(permits.length), ...permits.map(({ post }) => post())])
  const perSecond = (permits.length * 1_000) / (lastAt - startedAt)
  await Promise.all(permits.map(({ recipient }) => payments.paid(recipient)))
  return perSecond
}

const sendInARow = async (pool: PendingWatch, sends: readonly (() => Promise<void>)[]): Promise<number> => {
  pool.forget()
  const startedAt = performance.now()
  for (const send of sends) await send()
  return (sends.length * 1_000) / ((await pool.seen(sends.length)) - startedAt)
}
