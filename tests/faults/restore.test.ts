import { testTokenAbi } from '@causeway/contracts-abi'
import { coreMigrations } from '@causeway/core/host'
import { createPool, findAudit, LeaseKeeper } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listAt, textAt, valueAt } from '../harness/apiCall.js'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { depositNative } from '../harness/depositing.js'
import { type Deployment, type DeploymentOptions, startDeployment } from '../harness/host/deployment.js'
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
import { type OperatorDesk, openDesk } from '../operator/operatorDesk.js'

const YES = { yes: true, reason: 'restored from the backup of the night' }

let network: LocalNetwork
let database: TestDatabase
let copies: DatabaseCopies
/** Ended after the tests even when one fails. */
const deployments: Deployment[] = []
let restored: Deployment
let desk: OperatorDesk
/** Quoted before the backup, deposited and paid after it. */
let known: QuoteAnswer
/** The same, and more than the key could pay in an hour then: it was refunded, and would be filled now. */
let refundedThen: QuoteAnswer
/** Quoted, deposited and paid after it: four fills and a refund. */
let forgotten: readonly QuoteAnswer[]
/** A second backup of the same moment. */
let halfRead: string

const all = (): readonly QuoteAnswer[] => [known, refundedThen, ...forgotten]

const start = async (databaseUrl: string, more: Partial<DeploymentOptions> = {}): Promise<Deployment> => {
  const deployment = await startDeployment({ network, databaseUrl, ...more })
  deployments.push(deployment)
  return deployment
}

const stop = async (deployment: Deployment): Promise<void> => {
  deployments.splice(deployments.indexOf(deployment), 1)
  await deployment.kill()
}

const quoteOne = (
  deployment: Deployment,
  user: number,
  more: object = {},
  amount = ether('0.1'),
): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: network.chains[0].chain.chainId,
    to: network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount,
    recipient: freshAddress(),
    more: { ...more },
  })

const depositFor = (user: number, quote: QuoteAnswer) =>
  executeQuote(network.chains[0].chain, userOf(network, user), quote)

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  copies = databaseCopies(database)
  const before = await start(database.url)
  known = await quoteOne(before, 5)
  refundedThen = await quoteOne(before, 5, {}, ether('3'))
  await stop(before)
  const older = await copies.take()
  halfRead = await copies.take()
  const perHour = { [network.chains[1].chain.chainId]: [{ currency: NATIVE, amount: '2' }] }
  const lost = await start(database.url, { perHour })
  const refunded = { referrer: 'debug-force-refund' }
  const quotes: QuoteAnswer[] = []
  for (const user of [0, 1, 2, 3, 4]) quotes.push(await quoteOne(lost, user, user === 4 ? refunded : {}))
  forgotten = quotes
  await depositFor(5, known)
  await depositFor(5, refundedThen)
  for (const [user, quote] of forgotten.entries()) await depositFor(user, quote)
  for (const quote of all()) await waitForStatus(lost.requests, quote.requestId, ['success', 'refund'])
  await waitForQuiet(lost.pool)
  await stop(lost)
  restored = await start(older)
  desk = openDesk(restored)
})
afterAll(async () => {
  await Promise.all(deployments.splice(0).map((item) => item.kill()))
  await copies?.drop()
  await database?.drop()
  await network?.close()
})

/** How often the chains show each order paid: to the recipient, or back to the user. */
const payments = async (quotes: readonly QuoteAnswer[]): Promise<{ fills: number; refunds: number }[]> => {
  const [origin, destination] = await Promise.all(
    network.chains.map((item) => paymentsByOrder(item, network.roles.solver.address)),
  )
  return quotes.map(({ protocol }) => ({
    fills: destination?.get(protocol.v2.orderId)?.fills ?? 0,
    refunds: origin?.get(protocol.v2.orderId)?.fills ?? 0,
  }))
}

const FILLED = { fills: 1, refunds: 0 }
const REFUNDED = { fills: 0, refunds: 1 }
const ONCE = [FILLED, REFUNDED, FILLED, FILLED, FILLED, FILLED, REFUNDED]

/** Parked deposits with what paid their orders, once all five and their payments are known; by order id. */
const parkedByOrder = (own: OperatorDesk): Promise<ReadonlyMap<string, unknown>> =>
  until('every forgotten deposit to be parked, with what paid it', async () => {
    const parked = listAt(await own.json('parked list'), 'deposits')
    const found = new Map(parked.map((deposit) => [textAt(deposit, 'orderId'), deposit]))
    const complete = forgotten.every(({ protocol }) => {
      const deposit = found.get(protocol.v2.orderId)
      return deposit !== undefined && listAt(deposit, 'paidBy').length === 1
    })
    return complete ? found : null
  })

/** `parked close` of one deposit by what paid another, or itself. */
const closeOne = (own: OperatorDesk, deposit: unknown, paid: unknown): Promise<string[]> =>
  own.run('parked close', [textAt(deposit, 'depositId')], { ...YES, paidBy: textAt(paid, 'paidBy.0.txId') })

const laneStates = async (): Promise<string[]> => {
  const { rows } = await restored.pool.query<{ state: string }>('select state from lanes order by chain_id')
  return rows.map(({ state }) => state)
}

describe('F120: orders paid since the backup that was put back', () => {
  it('keep the lanes shut until somebody has looked, and nothing is paid meanwhile', async () => {
    await until('the lanes to be judged', async () =>
      (await laneStates()).every((state) => state === 'quarantined') ? true : null,
    )
    await parkedByOrder(desk)
    expect(await payments(all())).toEqual(ONCE)
  })

  it('show transaction, chain and amount in the list and in the detail of what is parked', async () => {
    for (const [order, deposit] of await parkedByOrder(desk)) {
      const quote = forgotten.find(({ protocol }) => protocol.v2.orderId === order)
      if (quote === undefined) throw new Error(`${order} is not one of the five`)
      const back = quote === forgotten[4]
      const [origin, destination] = network.chains
      expect(valueAt(deposit, 'paidBy.0')).toMatchObject({
        chainId: (back ? origin : destination).chain.chainId,
        ...(back ? {} : { paid: { amount: quote.details.currencyOut.amount, symbol: 'ETH' } }),
      })
      const shown = (await desk.run('parked show', [textAt(deposit, 'depositId')])).join('\n')
      expect(shown).toMatch(new RegExp(`PAID BEFORE +0\\.\\d+ ETH on ${back ? 'harbor' : 'lagoon'}`))
      expect(shown.replace(/\s+/g, '')).toContain(textAt(deposit, 'paidBy.0.txId'))
    }
  })

  it('keep the books from being corrected, and it says what to do first', async () => {
    await expect(desk.run('inventory correct', ['lagoon', 'ETH', '0.1'], { ...YES, missing: true })).rejects.toThrow(
      /^On lagoon its lane is quarantined, \d+ payments? of its keys .*causeway parked close --all-paid/,
    )
  })

  it('are not refunded or given away, before and after the lanes were released', async () => {
    const refuse = async (): Promise<void> => {
      for (const deposit of (await parkedByOrder(desk)).values()) {
        const id = textAt(deposit, 'depositId')
        const says = new RegExp(`was paid already: .*${textAt(deposit, 'paidBy.0.txId')}.*parked close ${id}`)
        await expect(desk.run('parked refund', [id], YES)).rejects.toThrow(says)
        await expect(desk.run('parked refund', [id], { ...YES, to: freshAddress() })).rejects.toThrow(says)
        await expect(desk.run('parked assign', [id], { ...YES, request: known.requestId })).rejects.toThrow(says)
      }
    }
    const inspected = (await restored.command('lanes inspect', ['lagoon'])).join('\n')
    expect(inspected).toMatch(/causeway parked close \d+ --paid-by 0x[0-9a-f]{64}/)
    await refuse()
    for (const chain of ['harbor', 'lagoon']) {
      const { solver } = network.roles
      await restored.command('lanes release', [chain, solver.address], { yes: true, all: true, reason: 'test' })
    }
    await until('the lanes to be open', async () =>
      (await laneStates()).every((state) => state === 'open') ? true : null,
    )
    await refuse()
    expect(await payments(all())).toEqual(ONCE)
  })

  it('are recognised as what they were, a fill or a refund, where their quotes are known', async () => {
    expect(await waitForStatus(restored.requests, known.requestId, ['success', 'refund'])).toMatchObject({
      status: 'success',
    })
    const back = await waitForStatus(restored.requests, refundedThen.requestId, ['success', 'refund'])
    expect(back).toMatchObject({ status: 'refund' })
    expect(await payments(all())).toEqual(ONCE)
  })

  it('are closed by what paid them, once each, and the books agree with both chains', async () => {
    const parked = [...(await parkedByOrder(desk)).values()]
    await expect(closeOne(desk, parked[0], parked[1])).rejects.toThrow('is not known to pay the order of deposit')
    for (const deposit of parked) {
      const both = await Promise.allSettled([closeOne(desk, deposit, deposit), closeOne(desk, deposit, deposit)])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
    await waitForQuiet(restored.pool)
    expect(await desk.json('parked list')).toMatchObject({ deposits: [] })
    expect(await payments(all())).toEqual(ONCE)
    expect(await findDiscrepancies(restored.pool, network)).toEqual([])
    expect(await desk.json('ledger check')).toMatchObject({ ok: true, findings: [], unchecked: [] })
    const [first] = parked
    expect(
      await findAudit(restored.pool, { subject: `deposit ${textAt(first, 'depositId')}`, limit: 5 }),
    ).toMatchObject([{ action: 'parked close', details: { reason: YES.reason, txId: textAt(first, 'paidBy.0.txId') } }])
  })

  it('nothing is sent back while a chain that could have paid it cannot be read; then it is, once', async () => {
    const [origin, destination] = network.chains
    const order = `0x${freshAddress().slice(2).padStart(64, '7')}` as const
    const txId = await depositNative(origin, userOf(network, 0), order, ether('0.03'))
    const id = await until('the stray deposit', async () => {
      const { rows } = await restored.pool.query<{ id: string }>(
        'select id::text as id from deposits where tx_id = $1',
        [txId],
      )
      return rows[0]?.id
    })
    await origin.chain.mine(2)
    const cut = openDesk(restored, { unreachable: [destination.chain.chainId] })
    await expect(cut.run('parked refund', [id], YES)).rejects.toThrow(/not yet known whether .* lagoon \(/)
    await desk.run('parked refund', [id], YES)
    await waitForQuiet(restored.pool)
    const paid = await paymentsByOrder(origin, network.roles.solver.address)
    expect(paid.get(order)?.fills).toBe(1)
  })
})

/** Has a lease to the end of the test, as a host that does none of its work; returns once it is held, with what gives it back. */
const holdLease = async (databaseUrl: string, name: string): Promise<() => Promise<void>> => {
  const pool = createPool({ connectionString: databaseUrl, max: 1, applicationName: 'causeway test' })
  const end = new AbortController()
  let held: Promise<void> = Promise.resolve()
  const giveBack = async (): Promise<void> => {
    end.abort()
    await held
  }
  onTestFinished(async () => {
    await giveBack()
    await pool.end()
  })
  await new Promise<void>((taken) => {
    // Longer than a busy machine may stand still; a lease beyond three minutes would be anybody's.
    held = new LeaseKeeper({ pool, ttlMs: 120_000 }).run(name, end.signal, async ({ signal }) => {
      taken()
      await new Promise((over) => signal.addEventListener('abort', over))
    })
  })
  return giveBack
}

describe('F120: a lane that nobody works yet', () => {
  it('is read by the others before they fill what it may have refunded', async () => {
    await stop(restored)
    const [origin, destination] = network.chains
    const lane = `lane:${origin.chain.chainId}:${network.roles.solver.address}`
    const letGo = await holdLease(halfRead, lane)
    const half = await start(halfRead)
    const release = (chain: string) =>
      half.command('lanes release', [chain, network.roles.solver.address], { yes: true, all: true, reason: 'test' })
    const stateOn = async ({ chain }: { readonly chain: { readonly chainId: number } }) => {
      const { rows } = await half.pool.query<{ state: string }>('select state from lanes where chain_id = $1', [
        chain.chainId,
      ])
      return rows[0]?.state
    }
    const judged = (chain: typeof origin) =>
      until(`the lane of ${chain.slug} to be judged`, async () =>
        (await stateOn(chain)) === 'quarantined' ? true : null,
      )
    await judged(destination)
    await release(destination.slug)
    await waitForStatus(half.requests, known.requestId, ['success'])
    const outcome = await until('the other order to be decided', async () => {
      const { rows } = await half.pool.query<{ outcome: string }>(
        `select d.outcome from deposits d where d.outcome is not null and d.order_id = decode($1, 'hex')`,
        [refundedThen.protocol.v2.orderId.slice(2)],
      )
      return rows[0]?.outcome
    })
    expect(outcome).toBe('refund')
    // As it was in the backup: nobody has opened it since.
    expect(await stateOn(origin)).toBe('open')
    await letGo()
    await judged(origin)
    await release(origin.slug)
    await waitForStatus(half.requests, refundedThen.requestId, ['refund'])
    expect(await payments(all())).toEqual(ONCE)
  })
})

describe('what is left when every order is closed', () => {
  it('is booked on the word of an operator who names it exactly, once, with an audit entry', async () => {
    const [deployment] = deployments
    if (deployment === undefined) throw new Error('no deployment runs')
    const own = openDesk(deployment)
    const [origin] = network.chains
    const paid = (await parkedByOrder(own)).size
    expect(paid).toBeGreaterThan(1)
    await expect(own.run('parked close', ['1'], { ...YES, allPaid: true })).rejects.toThrow('takes no deposit')
    const closed = await own.run('parked close', [], { ...YES, allPaid: true })
    expect(closed.at(-1)).toContain(`${paid} of ${paid} paid deposits closed`)
    expect(await own.json('parked list')).toMatchObject({ deposits: [] })
    await waitForQuiet(deployment.pool)
    expect(await own.json('ledger check')).toMatchObject({ ok: true })
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [freshAddress(), 2_500_000n] })
    await receiptOf(origin.chain, await origin.chain.send(network.roles.solver, { to: origin.usdc, data }))
    const correct = (amount: string, options: object = {}) =>
      own.run('inventory correct', ['harbor', origin.usdc, amount], { ...YES, missing: true, ...options })
    await expect(correct('2.4')).rejects.toThrow('The difference is -2.5 USDC now')
    await expect(correct('2.5', { missing: false })).rejects.toThrow('The difference is -2.5 USDC now')
    await expect(correct('2.5', { reason: undefined })).rejects.toThrow('--reason')
    const both = await Promise.allSettled([correct('2.5'), correct('2.5')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(correct('2.5')).rejects.toThrow('nothing is to be booked')
    const { solver } = network.roles
    expect(
      await findAudit(deployment.pool, { subject: `wallet ${origin.chain.chainId} ${solver.address}`, limit: 5 }),
    ).toMatchObject([{ action: 'inventory correct', details: { amount: '-2500000', reason: YES.reason } }])
  })
})
