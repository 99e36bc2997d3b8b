import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { FakeSigner } from '../harness/fakeSigner.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'

export let network: LocalNetwork
let database: TestDatabase
export let deployment: Deployment
export let payer: FakeSigner
export let allocator: FakeSigner

export const start = async (
  user: number,
  direction: 'out' | 'back' = 'out',
  more: object = {},
): Promise<QuoteAnswer> => {
  const [from, to] = direction === 'out' ? network.chains : ([network.chains[1], network.chains[0]] as const)
  const quote = await quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: from.chain.chainId,
    to: to.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('0.1'),
    recipient: freshAddress(),
    more: { ...more },
  })
  await executeQuote(from.chain, userOf(network, user), quote)
  return quote
}

export const fillsOf = async ({ protocol }: QuoteAnswer): Promise<number> =>
  (await paymentsByOrder(network.chains[1], network.roles.solver.address)).get(protocol.v2.orderId)?.fills ?? 0

/** Waits until the fill was put off, and tells what the database holds of it. */
export const putOff = ({ requestId }: QuoteAnswer) =>
  until('the fill to be put off', async () => {
    const { rows } = await deployment.pool.query<{ state: string; waits: boolean; stored: number }>(
      `select p.state, p.next_action_at is not null and r.next_action is not null as waits,
         (select count(*)::int from payout_attempts a where a.payout_id = p.id) as stored
       from payouts p join requests r on r.id = p.request_id where r.id = $1 and p.attempts > 0`,
      [Buffer.from(requestId.slice(2), 'hex')],
    )
    return rows[0]
  })

/** A payout whose signer has a fault waits, alone, and is paid once the signer is well. */
export const expectToWait = async (fault: NonNullable<FakeSigner['fault']>): Promise<void> => {
  payer.fault = fault
  const held = await start(0)
  expect(await putOff(held)).toEqual({ state: 'ready', waits: true, stored: 0 })
  const other = await start(1, 'back')
  await waitForStatus(deployment.requests, other.requestId, ['success'])
  expect(await fillsOf(held)).toBe(0)
  expect((await deployment.requests.findStatus(held.requestId))?.status).toBe('pending')
  payer.fault = null
  await waitForStatus(deployment.requests, held.requestId, ['success'])
  await waitForQuiet(deployment.pool)
  expect(await fillsOf(held)).toBe(1)
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
}

/** Starts two chains and a host whose signers fail on demand, and stops them after the tests of a file. */
export const useFaultySigners = (): void => {
  // One database for all: the books of a second one would not know what the first paid.
  beforeAll(async () => {
    network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    payer = new FakeSigner(network.roles.solver.privateKey)
    allocator = new FakeSigner(network.roles.allocator.privateKey)
    deployment = await startDeployment({
      network,
      databaseUrl: database.url,
      signers: { [`payout.${network.chains[1].chain.chainId}`]: payer, allocator },
    })
  })
  afterAll(async () => {
    await deployment?.kill()
    await database?.drop()
    await network?.close()
  })
}
