import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { type Poison, type PoisonedCall, Poisoner } from '../harness/poison.js'
import { executeQuote, freshAddress, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment
const poisoner = new Poisoner()
const solver = { callTimeoutMs: 2_500 }

const start = (options: object = {}) =>
  startDeployment({ network, databaseUrl: database.url, wrapAdapter: poisoner.wrap, solver, ...options })

// One database for all: the books of a second one would not know what the first paid.
beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await start()
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

const quote = (user: number, direction: 'out' | 'back' = 'out'): Promise<QuoteAnswer> => {
  const [from, to] = direction === 'out' ? network.chains : ([network.chains[1], network.chains[0]] as const)
  return quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: from.chain.chainId,
    to: to.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('0.05'),
    recipient: freshAddress(),
  })
}

const deposit = (user: number, answer: QuoteAnswer, direction: 'out' | 'back' = 'out') =>
  executeQuote(network.chains[direction === 'out' ? 0 : 1].chain, userOf(network, user), answer)

interface Trouble {
  readonly kind: 'request' | 'payout'
  readonly trouble: string
  readonly waits: boolean
  readonly retries: number
}

/** What the database says stands in the way of a request or of its payouts. */
const troubleOf = (requestId: Hex) =>
  until('the request to be in trouble', async () => {
    const { rows } = await database.pool.query<Trouble>(
      `select 'request' as kind, trouble, next_action_at is not null as waits, attempts as retries from requests where id = $1 and trouble is not null
       union all
       select 'payout', trouble, next_action_at is not null, attempts from payouts where request_id = $1 and trouble is not null`,
      [Buffer.from(requestId.slice(2), 'hex')],
    )
    return rows[0]
  })

const fillsOf = async (answer: QuoteAnswer): Promise<number> =>
  (await paymentsByOrder(network.chains[1], network.roles.solver.address)).get(answer.protocol.v2.orderId)?.fills ?? 0

const CASES: readonly (readonly [PoisonedCall, Poison, 'request' | 'payout'])[] = [
  ['simulate', 'throws', 'request'],
  ['simulate', 'hangs', 'request'],
  ['prepare', 'throws', 'payout'],
  ['prepare', 'hangs', 'payout'],
  ['states', 'throws', 'payout'],
  ['states', 'hangs', 'payout'],
]

describe('F126: one order of which a call of the adapter goes wrong', () => {
  it.each(CASES)(
    '%s %s: only this order waits, and it is told; the lane pays the others, and this one once the chain is well',
    async (call, how, kind) => {
      const [held, other] = await Promise.all([quote(0), quote(1)])
      poisoner.poison(held.protocol.v2.orderId, call, how)
      await Promise.all([deposit(0, held), deposit(1, other)])
      const trouble = await troubleOf(held.requestId)
      expect(trouble).toMatchObject({ kind, waits: true })
      expect(trouble.trouble).not.toContain('node.example')
      expect(trouble.trouble).toMatch(how === 'hangs' ? /did not answer/ : /Cannot read properties/)
      await waitForStatus(deployment.requests, other.requestId, ['success'])
      const later = await quote(2)
      await deposit(2, later)
      await waitForStatus(deployment.requests, later.requestId, ['success'])
      expect((await deployment.requests.findStatus(held.requestId))?.status).not.toBe('success')
      poisoner.heal()
      await waitForStatus(deployment.requests, held.requestId, ['success'])
      await waitForQuiet(deployment.pool)
      expect(await fillsOf(held)).toBe(1)
      expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
    },
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
    await deployment.kill()
    poisoner.heal()
    deployment = await start({ chainIds: [destination] })
    const waiting = await until('the missing chain to be named', async () => {
      const { trouble } = await troubleOf(held.requestId)
      return trouble.includes(`Chain ${origin}`) ? trouble : null
    })
    expect(waiting).toContain('not configured')
    await waitForStatus(deployment.requests, decided.requestId, ['success'])
    await deployment.kill()
    deployment = await start()
    await waitForStatus(deployment.requests, held.requestId, ['success'])
    await waitForQuiet(deployment.pool)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})
