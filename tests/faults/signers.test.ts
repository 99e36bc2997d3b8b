import { blockingTokenAbi } from '@causeway/contracts-abi'
import { coreMigrations, moveClock } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { encodeFunctionData } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { FakeSigner } from '../harness/fakeSigner.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  type QuoteAnswer,
  quoteTransfer,
  receiptOf,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment
let payer: FakeSigner
let allocator: FakeSigner

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

const start = async (user: number, direction: 'out' | 'back' = 'out', more: object = {}): Promise<QuoteAnswer> => {
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

const fillsOf = async ({ protocol }: QuoteAnswer): Promise<number> =>
  (await paymentsByOrder(network.chains[1], network.roles.solver.address)).get(protocol.v2.orderId)?.fills ?? 0

/** Waits until the fill was put off, and tells what the database holds of it. */
const putOff = ({ requestId }: QuoteAnswer) =>
  until('the fill to be put off', async () => {
    const { rows } = await deployment.pool.query<{ state: string; waits: boolean; stored: number }>(
      `select p.state, p.next_action_at is not null and r.next_action is not null as waits,
         (select count(*)::int from payout_attempts a where a.payout_id = p.id) as stored
       from payouts p join requests r on r.id = p.request_id where r.id = $1 and p.attempts > 0`,
      [Buffer.from(requestId.slice(2), 'hex')],
    )
    return rows[0]
  })

describe('F113: a signer that is away, slow, or signs something else', () => {
  it.each(['away', 'slow', 'other digest', 'other key'] as const)(
    '%s: the payout waits, nothing is stored or sent, the other lane pays on; it is paid once the signer is well',
    async (fault) => {
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
    },
  )

  it('an allocator that signs something else: no withdrawal is stored, payouts go on, and it is made up for later', async () => {
    allocator.fault = 'other digest'
    const filled = await start(3)
    await waitForStatus(deployment.requests, filled.requestId, ['success'])
    const before = allocator.asked
    await until('the allocator to be asked', async () => (allocator.asked > before + 1 ? true : null))
    const { rows } = await deployment.pool.query(
      `select 1 from payouts where purpose = 'withdraw' and request_id = $1`,
      [Buffer.from(filled.requestId.slice(2), 'hex')],
    )
    expect(rows).toEqual([])
    allocator.fault = null
    await waitForQuiet(deployment.pool)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })

  it('a fill that the chain refuses after its decision goes back at once, not at the end of its order', async () => {
    const [origin, destination] = network.chains
    const recipient = freshAddress()
    payer.fault = 'away'
    const held = await quoteTransfer(deployment.engine, {
      user: userOf(network, 2),
      from: origin.chain.chainId,
      to: destination.chain.chainId,
      originCurrency: origin.blockable,
      destinationCurrency: destination.blockable,
      amount: 30_000_000n,
      recipient,
    })
    await executeQuote(origin.chain, userOf(network, 2), held)
    await putOff(held)
    const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args: [recipient] })
    const { chain, blockable } = destination
    await receiptOf(chain, await chain.send(userOf(network, 0), { to: blockable, data }))
    const view = await waitForStatus(deployment.requests, held.requestId, ['refund'])
    expect(view.failReason).toBe('DESTINATION_TOKEN_TRANSFER_REJECTED')
    payer.fault = null
    await waitForQuiet(deployment.pool)
    expect(await fillsOf(held)).toBe(0)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })

  it('away past the order’s time: the deposit goes back, and the fill is never paid afterwards', async () => {
    payer.fault = 'away'
    const held = await start(2)
    await putOff(held)
    await moveClock(deployment.pool, 8 * 86_400_000)
    const view = await waitForStatus(deployment.requests, held.requestId, ['refund'])
    expect(view.failReason).toBe('ORDER_EXPIRED')
    payer.fault = null
    await waitForQuiet(deployment.pool)
    expect(await fillsOf(held)).toBe(0)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})
