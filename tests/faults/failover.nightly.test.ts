import type { Diagnosis } from '@causeway/core/chain'
import { runDoctor } from '@causeway/host'
import { expect, it } from 'vitest'
import { hostCommand } from '../harness/host/hostProcess.js'
import { until } from '../harness/until.js'
import {
  cluster,
  deposit,
  failOverTo,
  fills,
  logged,
  network,
  paidOnChain,
  pool,
  quoteMany,
  serving,
  start,
  TIMEOUT_MS,
  useCluster,
} from './failover.test.support.js'

useCluster()

/** Findings of the doctor about the database in use. */
const replicationFinding = async (): Promise<Diagnosis | undefined> => {
  const { args, env } = await hostCommand({ network, databaseUrl: cluster.url })
  const findings = await runDoctor({ configPath: args[3] ?? '', timeoutMs: 2_000, environment: env })
  return findings.find(({ check }) => check === 'database replication')
}

it('F121: the doctor says what a failover to an asynchronous standby would cost, and what to set', async () => {
  const found = await replicationFinding()
  expect(found).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/2 standbys are asynchronous beside 1 synchronous.*payments that were made/),
    remedy: expect.stringContaining('synchronous_standby_names'),
  })
})

it('F121: promoted beyond every lease: what was paid is known again, what has no quote any more quarantines the lane and is told', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [, second] = cluster.asynchronous
  const host = await start(2)
  const quotes = await quoteMany(host, 4)
  await second.caughtUp(serving)
  await second.cut()
  const forgotten = await quoteMany(host, 1)
  await deposit([...forgotten, ...quotes.slice(1, 3)])
  await paidOnChain([...forgotten, ...quotes.slice(1, 3)])
  await failOverTo(second, () =>
    until('every lease to run out', async () => {
      const rows = await second.query('select from leases where expires_at > clock_timestamp()')
      return rows.length === 0 ? true : null
    }),
  )
  const lane = await until('the lane to be judged', async () => {
    const { rows } = await pool.query<{ reason: string }>(
      `select reason from lanes where chain_id = $1 and state = 'quarantined'`,
      [network.chains[1].chain.chainId],
    )
    return rows[0]
  })
  expect(lane.reason).toContain('orders this database does not know')
  const parked = await until('the deposit without a quote to be parked', async () => {
    const { rows } = await pool.query<{ parked: string }>(
      'select parked_reason as parked from deposits where order_id = $1',
      [Buffer.from(forgotten[0]?.protocol.v2.orderId.slice(2) ?? '', 'hex')],
    )
    return rows[0]
  })
  expect(parked.parked).not.toBeNull()
  await deposit(quotes.slice(0, 1))
  await network.chains[1].chain.mine(20)
  expect(await fills([...forgotten, ...quotes])).toEqual([1, 0, 1, 1, 0])
  await logged(host, 'quarantined')
})
