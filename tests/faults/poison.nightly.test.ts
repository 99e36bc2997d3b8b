import { describe, expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  database,
  deployment,
  deposit,
  expectOneToWait,
  fillsOf,
  network,
  poisoner,
  quote,
  restart,
  troubleOf,
  usePoisonedHost,
} from './poisonedHost.js'

usePoisonedHost()

describe('F126: one order of which a call of the adapter goes wrong', () => {
  it.each([
    ['simulate', 'hangs', 'request'],
    ['prepare', 'throws', 'payout'],
    ['prepare', 'hangs', 'payout'],
    ['states', 'throws', 'payout'],
    ['states', 'hangs', 'payout'],
  ] as const)(
    '%s %s: only this order waits, and it is told; the lane pays the others, and this one once the chain is well',
    expectOneToWait,
  )

  it('broadcast throws: what shared its batch is sent alone; the order itself is sent again until a node has it', async () => {
    const [held, other] = await Promise.all([quote(0), quote(1)])
    poisoner.poison(held.protocol.v2.orderId, 'broadcast', 'throws')
    await Promise.all([deposit(0, held), deposit(1, other)])
    await until('the order to be signed', async () => {
      const { rows } = await database.pool.query(
        `select 1 from payout_attempts a join payouts p on p.id = a.payout_id where p.request_id = $1 and a.message is not null`,
        [Buffer.from(held.requestId.slice(2), 'hex')],
      )
      return rows[0]
    })
    poisoner.heal()
    await waitForStatus(deployment.requests, held.requestId, ['success'])
    await waitForStatus(deployment.requests, other.requestId, ['success'])
    await waitForQuiet(deployment.pool)
    expect([await fillsOf(held), await fillsOf(other)]).toEqual([1, 1])
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})

describe('F126: a chain that was taken out of the configuration', () => {
  it('its waiting deposit waits on and says why; the lane of the other chain pays; all goes on once it is back', async () => {
    const [origin, destination] = network.chains.map(({ chain }) => chain.chainId)
    const [held, decided] = await Promise.all([quote(0), quote(1)])
    poisoner.poison(held.protocol.v2.orderId, 'simulate', 'throws')
    poisoner.poison(decided.protocol.v2.orderId, 'prepare', 'throws')
    await Promise.all([deposit(0, held), deposit(1, decided)])
    expect([(await troubleOf(held.requestId)).kind, (await troubleOf(decided.requestId)).kind]).toEqual([
      'request',
      'payout',
    ])
    await restart({ chainIds: [destination] }, () => poisoner.heal())
    const waiting = await until('the missing chain to be named', async () => {
      const { trouble } = await troubleOf(held.requestId)
      return trouble.includes(`Chain ${origin}`) ? trouble : null
    })
    expect(waiting).toContain('not configured')
    await waitForStatus(deployment.requests, decided.requestId, ['success'])
    await restart()
    await waitForStatus(deployment.requests, held.requestId, ['success'])
    await waitForQuiet(deployment.pool)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})

describe('F126: one order of which a call of the adapter goes wrong', () => {
  it('simulate throws: only this order waits, and it is told; the lane pays the others, and this one once the chain is well', () =>
    expectOneToWait('simulate', 'throws', 'request'))
})
