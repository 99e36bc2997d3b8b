import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder } from '../harness/database/books.js'
import { FakeSigner } from '../harness/fakeSigner.js'
import { type Deployment, type DeploymentOptions, startDeployment } from '../harness/host/deployment.js'
import {
  ether,
  type LocalNetwork,
  NATIVE,
  type NetworkChain,
  startLocalNetwork,
  userOf,
} from '../harness/localNetwork.js'
import { reorgAway } from '../harness/reorgAway.js'
import { executeQuote, freshAddress, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { openDesk } from '../operator/operatorDesk.js'

/** Deep enough that nothing is final before a test has made it leave its chain. */
const SETTLE = 120

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment
/** Heights of destination and origin when a test began: nothing of its orders is below. */
let since: readonly number[] = []
let payers: readonly [FakeSigner, FakeSigner]
let origin: NetworkChain
let destination: NetworkChain

const start = (more: Partial<DeploymentOptions>): Promise<Deployment> =>
  startDeployment({
    network,
    databaseUrl: database.url,
    signers: {
      [`payout.${origin.chain.chainId}`]: payers[0],
      [`payout.${destination.chain.chainId}`]: payers[1],
    },
    // What the solver takes out of the depository is no part of it, and would be reorganized too.
    solver: { withdrawals: false },
    ...more,
  })

// One database for all: the books of a second one would not know what the first paid.
beforeAll(async () => {
  network = await startLocalNetwork()
  ;[origin, destination] = network.chains
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  const { privateKey } = network.roles.solver
  payers = [new FakeSigner(privateKey), new FakeSigner(privateKey)]
  deployment = await start({ settle: SETTLE })
})
beforeEach(async () => {
  since = await Promise.all(
    [destination, origin].map(async ({ chain }) => Number(await chain.rpc<string>('eth_blockNumber'))),
  )
})
afterEach(() => {
  for (const payer of payers) payer.fault = null
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

const quote = (user: number, more: Partial<Parameters<typeof quoteTransfer>[1]> = {}): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('0.1'),
    recipient: freshAddress(),
    ...more,
  })

/** A deposit, and how it comes back once it was reorganized away. */
interface Vanishing {
  readonly txId: Hex
  /** Replaces its block and all later ones by empty blocks, and waits until the watcher knows. */
  vanish(): Promise<void>
  comeBack(): Promise<void>
}

const stateOf = async (txId: Hex): Promise<string | undefined> => {
  const { rows } = await deployment.pool.query<{ state: string }>('select state from deposits where tx_id = $1', [txId])
  return rows[0]?.state
}

const waitForState = (txId: Hex, state: string): Promise<true> =>
  until(`the deposit to be ${state}`, async () => ((await stateOf(txId)) === state ? true : null))

const vanishing = async (txId: Hex): Promise<Vanishing> => {
  const { chain } = origin
  const raw = await chain.rpc<Hex>('eth_getRawTransactionByHash', [txId])
  return {
    txId,
    vanish: async () => {
      await waitForState(txId, 'included')
      await reorgAway(origin, txId)
      await waitForState(txId, 'reorged')
    },
    comeBack: async () => {
      await chain.rpc('eth_sendRawTransaction', [raw])
      await waitForState(txId, 'included')
    },
  }
}

const deposit = async (user: number, answer: QuoteAnswer): Promise<Vanishing> =>
  vanishing(await executeQuote(origin.chain, userOf(network, user), answer))

const payoutOf = async (txId: Hex, purpose: string) => {
  const { rows } = await deployment.pool.query<{ state: string; attempts: number; stored: number; cancels: number }>(
    `select p.state, p.attempts, (select count(*)::int from payout_attempts a where a.payout_id = p.id) as stored,
       (select count(*)::int from payout_attempts a where a.payout_id = p.id and a.kind = 'cancel') as cancels
     from payouts p join deposits d on d.id = p.deposit_id where d.tx_id = $1 and p.purpose = $2`,
    [txId, purpose],
  )
  return rows[0]
}

const waitForPayout = (
  txId: Hex,
  purpose: string,
  is: (payout: NonNullable<Awaited<ReturnType<typeof payoutOf>>>) => boolean,
) =>
  until(`the ${purpose}`, async () => {
    const payout = await payoutOf(txId, purpose)
    return payout !== undefined && is(payout) ? payout : null
  })

/** Decided, tried, and not signed. */
const waitForRefusal = (txId: Hex, purpose: string) =>
  waitForPayout(txId, purpose, ({ state, attempts }) => state === 'ready' && attempts > 0)

/** Payments that the chains show for an order. */
const paid = async ({ protocol }: QuoteAnswer) => {
  const { solver } = network.roles
  const [there, here] = await Promise.all(
    [destination, origin].map((item, at) => paymentsByOrder(item, solver.address, since[at])),
  )
  const { orderId } = protocol.v2
  return {
    fills: there?.get(orderId)?.fills ?? 0,
    refunds: here?.get(orderId)?.fills ?? 0,
    excess: here?.get(orderId)?.excess ?? 0,
  }
}

const lost = async (): Promise<string> => {
  const { rows } = await deployment.pool.query<{ amount: string }>(
    `select coalesce(sum(amount), 0)::text as amount from ledger_entries where account = 'loss'`,
  )
  return rows[0]?.amount ?? ''
}

/** Time for whoever would pay wrongly: a payment that was asked for later is made. */
const payAnother = async (user: number): Promise<void> => {
  const other = await quote(user)
  await executeQuote(origin.chain, userOf(network, user), other)
  await waitForStatus(deployment.requests, other.requestId, ['success'])
}

describe('a deposit that leaves its chain while its payment waits (F125)', () => {
  it('a fill that was decided and not signed never leaves; when the deposit is back it is paid, once', async () => {
    payers[1].fault = 'away'
    const held = await quote(0)
    const made = await deposit(0, held)
    await waitForRefusal(made.txId, 'fill')
    await made.vanish()
    await waitForStatus(deployment.requests, held.requestId, ['waiting'])
    payers[1].fault = null
    await payAnother(1)
    expect(await paid(held)).toMatchObject({ fills: 0 })
    expect(await payoutOf(made.txId, 'fill')).toMatchObject({ state: 'dead', stored: 0 })
    expect(await lost()).toBe('0')
    await made.comeBack()
    await waitForStatus(deployment.requests, held.requestId, ['success'])
    expect(await paid(held)).toEqual({ fills: 1, refunds: 0, excess: 0 })
  })

  it('a fill that is not in a block yet is cancelled; when the deposit is back it is decided anew and paid once', async () => {
    const { chain } = destination
    await chain.setIntervalMining(0)
    const held = await quote(0)
    const made = await deposit(0, held)
    await waitForStatus(deployment.requests, held.requestId, ['submitted'])
    await made.vanish()
    await waitForPayout(made.txId, 'fill', ({ cancels }) => cancels === 1)
    await chain.setIntervalMining(1)
    await chain.mine(SETTLE + 2)
    const { failReason } = await waitForStatus(deployment.requests, held.requestId, ['failure'])
    expect(failReason).toBe('DEPOSIT_REORGED')
    expect([await paid(held), await lost()]).toEqual([{ fills: 0, refunds: 0, excess: 0 }, '0'])
    await made.comeBack()
    await waitForStatus(deployment.requests, held.requestId, ['success'])
    expect(await paid(held)).toEqual({ fills: 1, refunds: 0, excess: 0 })
  })

  it('leaves the books right in the end', async () => {
    await Promise.all([origin, destination].map(({ chain }) => chain.mine(SETTLE + 2)))
    await until('all to be final', async () => {
      const { rowCount } = await deployment.pool.query('select 1 from payouts where next_action is not null')
      return rowCount === 0 ? true : null
    })
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  })
})

describe('what a chain is trusted with', () => {
  it('deposits beyond the cap wait until others settle, and are paid then (F22)', async () => {
    await deployment.kill()
    // A tenth of an ether is worth 200 dollars.
    deployment = await start({ settle: 60, unsettledUsd: '450' })
    // What the tests before paid for is settled.
    await origin.chain.mine(61)
    const quotes = await Promise.all([0, 1, 2].map((user) => quote(user)))
    for (const [user, answer] of quotes.entries()) await executeQuote(origin.chain, userOf(network, user), answer)
    const waiting = await until('one to wait and two to be paid', async () => {
      const views = await Promise.all(quotes.map(({ requestId }) => deployment.requests.findStatus(requestId)))
      const { rows } = await deployment.pool.query<{ id: Hex; at: Date }>(
        `select '0x' || encode(id, 'hex') as id, next_action_at as at from requests where next_action = 'await-settle'`,
      )
      return views.filter((view) => view?.status === 'success').length === 2 && rows.length === 1 ? rows[0] : null
    })
    expect(waiting.at).toBeInstanceOf(Date)
    expect((await deployment.requests.findStatus(waiting.id))?.status).toBe('pending')
    await origin.chain.mine(61)
    await waitForStatus(deployment.requests, waiting.id, ['success'])
  })

  it('more blocks replaced than settle: nothing is paid for its deposits until an operator releases it (F125)', async () => {
    await deployment.kill()
    payers[1].fault = 'away'
    deployment = await start({ settle: 4 })
    const desk = openDesk(deployment)
    const [stands, later] = [await quote(0), await quote(1)]
    // One is decided and not signed when it happens, the other comes afterwards; both stand on the chain.
    const made = await deposit(0, stands)
    await waitForRefusal(made.txId, 'fill')
    await origin.chain.mine(6)
    await until('the watcher to have read them', async () => {
      const { rows } = await deployment.pool.query<{ behind: boolean }>(
        'select height < $2 as behind from chain_cursors where chain_id = $1',
        [origin.chain.chainId, Number(await origin.chain.rpc<string>('eth_blockNumber')) - 1],
      )
      return rows[0]?.behind === false ? true : null
    })
    await made.vanish()
    await made.comeBack()
    await executeQuote(origin.chain, userOf(network, 1), later)
    // A signer that is back before the watcher has looked pays for a deposit that stands.
    await until('the watcher to have seen it', async () => {
      const { rowCount } = await deployment.pool.query('select 1 from chain_halts')
      return rowCount === 1 ? true : null
    })
    payers[1].fault = null
    await until('both to wait for the operator', async () => {
      const { rowCount } = await deployment.pool.query(`select 1 from requests where next_action = 'await-release'`)
      return rowCount === 2 ? true : null
    })
    expect((await desk.run('halts')).join('\n')).toMatch(
      /harbor: halted since .*blocks up to .* were replaced; 4 were called final.*2 requests/s,
    )
    // Over a restart too, while the other direction goes on.
    await deployment.kill()
    deployment = await start({ settle: 4 })
    const back = await quote(2, { from: destination.chain.chainId, to: origin.chain.chainId })
    await executeQuote(destination.chain, userOf(network, 2), back)
    await waitForStatus(deployment.requests, back.requestId, ['success'])
    expect([await paid(stands), await paid(later)]).toMatchObject([{ fills: 0 }, { fills: 0 }])
    const again = openDesk(deployment, { answer: true })
    await expect(again.run('halts release', ['lagoon'], { reason: 'x' })).rejects.toThrow('not halted')
    await again.run('halts release', ['harbor'], { reason: 'compared with the explorer' })
    for (const { requestId } of [stands, later]) await waitForStatus(deployment.requests, requestId, ['success'])
    expect([await paid(stands), await paid(later)]).toMatchObject([{ fills: 1 }, { fills: 1 }])
    const { rows } = await deployment.pool.query('select action, subject, details from operator_audit')
    expect(rows).toMatchObject([
      {
        action: 'halts release',
        subject: `chain ${origin.chain.chainId}`,
        details: { reason: 'compared with the explorer', settle: 4 },
      },
    ])
  })
})
