import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { type Poison, type PoisonedCall, Poisoner } from '../harness/poison.js'
import { executeQuote, freshAddress, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'

export let network: LocalNetwork
export let database: TestDatabase
export let deployment: Deployment
export const poisoner = new Poisoner()
const solver = { callTimeoutMs: 2_500 }

export const start = (options: object = {}) =>
  startDeployment({ network, databaseUrl: database.url, wrapAdapter: poisoner.wrap, solver, ...options })

export const quote = (user: number, direction: 'out' | 'back' = 'out'): Promise<QuoteAnswer> => {
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

export const deposit = (user: number, answer: QuoteAnswer, direction: 'out' | 'back' = 'out') =>
  executeQuote(network.chains[direction === 'out' ? 0 : 1].chain, userOf(network, user), answer)

interface Trouble {
  readonly kind: 'request' | 'payout'
  readonly trouble: string
  readonly waits: boolean
  readonly retries: number
}

/** What the database says stands in the way of a request or of its payouts. */
export const troubleOf = (requestId: Hex) =>
  until('the request to be in trouble', async () => {
    const { rows } = await database.pool.query<Trouble>(
      `select 'request' as kind, trouble, next_action_at is not null as waits, attempts as retries from requests where id = $1 and trouble is not null
       union all
       select 'payout', trouble, next_action_at is not null, attempts from payouts where request_id = $1 and trouble is not null`,
      [Buffer.from(requestId.slice(2), 'hex')],
    )
    return rows[0]
  })

export const fillsOf = async (answer: QuoteAnswer): Promise<number> =>
  (await paymentsByOrder(network.chains[1], network.roles.solver.address)).get(answer.protocol.v2.orderId)?.fills ?? 0

/** One order of which a call goes wrong waits, and no other; it is paid once the chain is well. */
export const expectOneToWait = async (call: PoisonedCall, how: Poison, kind: Trouble['kind']): Promise<void> => {
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
}

/** Kills the deployment, runs `between`, and starts it with other options. */
export const restart = async (options: object = {}, between: () => void = () => undefined): Promise<void> => {
  await deployment.kill()
  between()
  deployment = await start(options)
}

/** Starts two chains and a host whose adapters fail for single orders, and stops them after the tests of a file. */
export const usePoisonedHost = (): void => {
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
}
