import { blockingTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { coreMigrations, SqlTrackedRequests } from '@causeway/core/host'
import { countParkedDeposits } from '@causeway/core/money-path'
import { ChainRegistry, findAudit } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, waitForQuiet } from '../harness/database/books.js'
import { depositNative, depositToken } from '../harness/depositing.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import {
  ether,
  type LocalNetwork,
  NATIVE,
  type NetworkChain,
  startLocalNetwork,
  userOf,
} from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  type QuoteAnswer,
  quoteTransfer,
  receiptOf,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type OperatorDesk, openDesk } from './operatorDesk.js'

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment
let desk: OperatorDesk
let origin: NetworkChain
let destination: NetworkChain

beforeAll(async () => {
  network = await startLocalNetwork()
  ;[origin, destination] = network.chains
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({ network, databaseUrl: database.url })
  desk = openDesk(deployment)
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

/** Chains that cannot show what a transaction moved. */
const withoutGains = ({ chains }: Deployment): ChainRegistry =>
  new ChainRegistry(
    chains.all().map((chain) => ({
      ...chain,
      adapter: new Proxy(chain.adapter, {
        get: (adapter, name) => {
          const value: unknown = name === 'accountGain' ? undefined : Reflect.get(adapter, name, adapter)
          return typeof value === 'function' ? value.bind(adapter) : value
        },
      }),
    })),
  )

const YES = { yes: true, reason: 'the user asked in a call' }

const quote = (
  user: number,
  currency: [string, string],
  amount: bigint,
  recipient: Hex,
  refundTo?: Hex,
): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: currency[0],
    destinationCurrency: currency[1],
    amount,
    recipient,
    more: refundTo === undefined ? {} : { refundTo },
  })

const quoteEther = (user: number, recipient = freshAddress()) => quote(user, [NATIVE, NATIVE], ether('0.2'), recipient)

/** Buries what is in the newest block, and waits until the deployment knows: it tells a tip from memory for as long as it does not poll. */
const settle = async (): Promise<void> => {
  await origin.chain.mine(2)
  const height = BigInt(await origin.chain.rpc<string>('eth_blockNumber'))
  const { adapter } = deployment.chains.get(origin.chain.chainId)
  await until('the deployment to know the newest block', async () =>
    (await adapter.tip()).height >= height ? true : undefined,
  )
}

/** The number of a deposit once the watcher has it, and its block cannot leave any more. */
const settledDeposit = async (txId: string): Promise<string> => {
  const id = await until('the deposit', async () => {
    const { rows } = await database.pool.query<{ id: string }>('select id::text as id from deposits where tx_id = $1', [
      txId,
    ])
    return rows[0]?.id
  })
  await settle()
  return id
}

const strayOrder = (): Hex => `0x${freshAddress().slice(2).padStart(64, '5')}`

const parkEther = async (user: number, amount: bigint): Promise<string> =>
  settledDeposit(await depositNative(origin, userOf(network, user), strayOrder(), amount))

const parkedCount = async (): Promise<number> =>
  (await countParkedDeposits(deployment.pool)).reduce((sum, { deposits }) => sum + deposits, 0)

const payoutsOf = async (
  depositId: string,
): Promise<{ purpose: string; state: string; amount: string; fees: string }[]> =>
  (
    await database.pool.query(
      'select purpose, state, amount::text as amount, fees::text as fees from payouts where deposit_id = $1 order by id',
      [depositId],
    )
  ).rows

describe('parked refund', () => {
  it('lists what is parked and sends it back once, less its gas, with an audit entry', async () => {
    const amount = ether('0.03')
    const id = await parkEther(0, amount)
    const listed = await desk.json('parked list')
    expect(listAt(listed, 'deposits')).toContainEqual(
      expect.objectContaining({ depositId: id, reason: 'unknown order id' }),
    )
    // What doctor counts is what the list lists, before and after.
    const counted = await parkedCount()
    expect(counted).toBe(listAt(listed, 'deposits').length)
    expect((await desk.run('parked show', [id])).join('\n')).toContain('0.03 ETH of 0.03 ETH: unknown order id')
    const to = freshAddress()
    // As `explain` prints it.
    await desk.run('parked refund', [`deposit:${id}`], { ...YES, to })
    await waitForQuiet(deployment.pool)
    const payouts = await payoutsOf(id)
    expect(payouts.map(({ purpose, state }) => `${purpose} ${state}`)).toEqual(['refund final', 'withdraw final'])
    const [refund] = payouts
    expect(await balanceOnChain(origin, to, NATIVE)).toBe(BigInt(refund?.amount ?? '0'))
    expect(BigInt(refund?.amount ?? '0') + BigInt(refund?.fees ?? '0')).toBe(amount)
    expect(BigInt(refund?.fees ?? '0')).toBeGreaterThan(0n)
    expect(await findAudit(database.pool, { subject: `deposit ${id}`, limit: 5 })).toMatchObject([
      { action: 'parked refund', details: { reason: YES.reason, to, amount: refund?.amount } },
    ])
    await expect(desk.run('parked refund', [id], YES)).rejects.toThrow('is paid back already')
    expect(await desk.json('parked show', [id])).toMatchObject({ deposit: { parked: { amount: '0' } } })
    expect(await parkedCount()).toBe(counted - 1)
    expect(listAt(await desk.json('parked list'), 'deposits')).toHaveLength(counted - 1)
  })

  it('the gauge and the list count alike, by chain and reason', async () => {
    await parkEther(1, ether('0.011'))
    const deposits = listAt(await desk.json('parked list', [], { limit: '1000' }), 'deposits')
    const strays = deposits.filter((deposit) => valueAt(deposit, 'requestId') === null)
    const counts = await countParkedDeposits(database.pool)
    expect(counts.reduce((sum, { deposits: count }) => sum + count, 0)).toBe(deposits.length)
    expect(counts).toContainEqual({ chainId: origin.chain.chainId, reason: 'stray', deposits: strays.length })
    expect(strays.length).toBeGreaterThan(0)
  })

  it('pays once when two operators do it together', async () => {
    const id = await parkEther(1, ether('0.02'))
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => desk.run('parked refund', [id], { ...YES, to: freshAddress() })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await waitForQuiet(deployment.pool)
    expect((await payoutsOf(id)).filter(({ purpose }) => purpose === 'refund')).toHaveLength(1)
  })

  it('sends back a token the solver does not hold, out of the depository', async () => {
    const fake = await origin.chain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals: 6 })
    const user = userOf(network, 2)
    await origin.chain.fund(user.address, 10_000_000n, fake)
    const id = await settledDeposit(await depositToken(origin, user, fake, strayOrder(), 10_000_000n))
    await desk.run('parked refund', [id], YES)
    await until('the token to be back', async () =>
      (await balanceOnChain(origin, user.address, fake)) === 10_000_000n ? true : null,
    )
    await waitForQuiet(deployment.pool)
  })

  it('refuses dust, unknown numbers, addresses of nobody and a missing reason, and asks before it does anything', async () => {
    const dust = await parkEther(3, 7n)
    const id = await parkEther(3, ether('0.01'))
    const refused = (given: string, options: Readonly<Record<string, unknown>>, says: RegExp) =>
      expect(desk.run('parked refund', [given], options)).rejects.toThrow(says)
    await refused(dust, YES, /AMOUNT_TOO_LOW_TO_REFUND/)
    await refused('99999', YES, /There is no deposit 99999/)
    await refused('0x', YES, /number of a deposit/)
    await refused(id, { ...YES, to: '0x12' }, /is no address of harbor/)
    await refused(id, { yes: true }, /--reason/)
    await refused(id, { reason: 'no' }, /Nothing was done/)
    expect(desk.questions.at(-1)).toMatch(/^Pay 0\.00\d+ ETH on harbor to 0x[0-9a-f]{40}, .* ETH kept for its gas\?$/)
    expect([await payoutsOf(dust), await payoutsOf(id)]).toEqual([[], []])
  })
})

describe('parked assign', () => {
  it('gives a stray deposit to a quote, which is then filled', async () => {
    const recipient = freshAddress()
    const made = await quoteEther(0, recipient)
    const id = await parkEther(4, ether('0.2'))
    await desk.run('parked assign', [id], { ...YES, request: made.requestId })
    const done = await waitForStatus(deployment.requests, made.requestId, ['success', 'refund', 'failure'])
    expect(done.status).toBe('success')
    expect(await balanceOnChain(destination, recipient, NATIVE)).toBe(BigInt(made.details.currencyOut.amount))
    await expect(desk.run('parked assign', [id], { ...YES, request: made.requestId })).rejects.toThrow(
      'belongs to request',
    )
    expect(await findAudit(database.pool, { subject: `deposit ${id}`, limit: 5 })).toMatchObject([
      { action: 'parked assign' },
    ])
  })

  it('refuses another currency, too little, and an order that was consumed (architecture.md 3, Cardinality)', async () => {
    const id = await parkEther(5, ether('0.1'))
    const assign = (requestId: string) => desk.run('parked assign', [id], { ...YES, request: requestId })
    const token = await quote(0, [origin.usdc, destination.usdc], 5_000_000n, freshAddress())
    await expect(assign(token.requestId)).rejects.toThrow('INCORRECT_DEPOSIT_CURRENCY')
    await expect(assign((await quoteEther(0)).requestId)).rejects.toThrow('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
    const filled = await quote(1, [NATIVE, NATIVE], ether('0.1'), freshAddress())
    await executeQuote(origin.chain, userOf(network, 1), filled)
    await waitForStatus(deployment.requests, filled.requestId, ['success'])
    await expect(assign(filled.requestId)).rejects.toThrow('consumed by another deposit')
    await expect(assign(`0x${'42'.repeat(32)}`)).rejects.toThrow('There is no quote or request')
    expect(await desk.json('parked show', [id])).toMatchObject({
      deposit: { requestId: null, reason: 'unknown order id' },
    })
  })
})

const setBlocked = async (item: NetworkChain, address: Hex): Promise<void> => {
  const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args: [address] })
  await receiptOf(item.chain, await item.chain.send(userOf(network, 0), { to: item.blockable, data }))
}

it('refund: a request that failed is refunded to another address, and only by an operator (K.2 4, K.4 2)', async () => {
  const [recipient, refundTo] = [freshAddress(), freshAddress()]
  const made = await quote(5, [origin.blockable, destination.blockable], 30_000_000n, recipient, refundTo)
  await setBlocked(destination, recipient)
  await setBlocked(origin, refundTo)
  await executeQuote(origin.chain, userOf(network, 5), made)
  const failed = await waitForStatus(deployment.requests, made.requestId, ['success', 'refund', 'failure'])
  expect(failed).toMatchObject({ status: 'failure', refundFailReason: 'MANUAL_REFUND_REQUIRED' })
  await settle()
  await expect(desk.run('refund', [made.requestId], YES)).rejects.toThrow(`It cannot be paid to ${refundTo}`)
  const to = freshAddress()
  await desk.run('refund', [made.requestId], { ...YES, to })
  const done = await waitForStatus(deployment.requests, made.requestId, ['refund'])
  expect(done).toMatchObject({ failReason: 'MANUAL_ADMIN_REFUND', refundFailReason: null })
  expect(await balanceOnChain(origin, to, origin.blockable)).toBeGreaterThan(29_000_000n)
  await expect(desk.run('refund', [made.requestId], YES)).rejects.toThrow('is paid back already')
  const explanation = valueAt(await desk.json('explain', [made.requestId]), 'requests.0')
  const both = { failReason: 'MANUAL_ADMIN_REFUND', firstFailReason: 'DESTINATION_TOKEN_TRANSFER_REJECTED' }
  expect(explanation).toMatchObject(both)
  const tracked = new SqlTrackedRequests({ pool: database.pool, chains: { all: () => [] } })
  expect(await tracked.find(made.requestId)).toMatchObject({ firstFailReason: both.firstFailReason })
  expect(valueAt(explanation, 'byHand')).toMatchObject([{ action: 'refund', reason: YES.reason }])
  expect(listAt(explanation, 'timeline').map((entry) => valueAt(entry, 'text'))).toContainEqual(
    expect.stringMatching(/^failure \(version \d\): DESTINATION_TOKEN_TRANSFER_REJECTED, MANUAL_REFUND_REQUIRED/),
  )
})

it('refund: refuses a request that is not in failure', async () => {
  const made = await quoteEther(2)
  await executeQuote(origin.chain, userOf(network, 2), made)
  await waitForStatus(deployment.requests, made.requestId, ['success'])
  await waitForQuiet(deployment.pool)
  await expect(desk.run('refund', [made.requestId], YES)).rejects.toThrow(/Nothing of deposit \d+ is parked/)
})

describe('inventory and ledger check', () => {
  it('agree with both chains after all this, parked money included', async () => {
    await waitForQuiet(deployment.pool)
    expect(await desk.json('ledger check')).toMatchObject({ ok: true, findings: [], unchecked: [] })
    const report = await desk.json('inventory')
    for (const chain of listAt(report, 'chains')) {
      expect(valueAt(chain, 'reachable')).toBe(true)
      for (const line of listAt(chain, 'currencies'))
        expect(line).toMatchObject({ difference: '0', depositoryDifference: '0' })
    }
    const ether = listAt(report, 'chains.0.currencies').find((line) => valueAt(line, 'currency.symbol') === 'ETH')
    expect(valueAt(ether, 'availableUsd')).toMatch(/^\d+\.\d{6}$/)
    expect((await desk.run('inventory')).filter((line) => line.length > 100)).toEqual([])
  })

  it('find money that nobody booked; a top-up books it once, by its transaction', async () => {
    const amount = ether('1.5')
    const txId = await origin.chain.send(userOf(network, 0), {
      to: network.roles.solver.address,
      data: '0x',
      value: amount,
    })
    await receiptOf(origin.chain, txId)
    await expect(desk.run('ledger check')).rejects.toThrow('The ledger check failed: wallet-balance.')
    expect((await desk.run('inventory')).join('\n')).toMatch(/DIFFERENCE +1\.5 ETH: not booked/)
    const topup = (units: string) => desk.run('inventory topup', ['harbor', 'ETH', units], { tx: txId, yes: true })
    await expect(topup('1.5e0')).rejects.toThrow('in whole ETH')
    await expect(
      desk.run('inventory topup', ['harbor', 'ETH', '1.5'], { tx: `0x${'13'.repeat(32)}`, yes: true }),
    ).rejects.toThrow('as unknown')
    await expect(
      desk.run('inventory topup', ['harbor', 'ETH', '1.5'], { tx: txId.slice(2), yes: true }),
    ).rejects.toThrow('--tx must be 0x and 64 hex digits on harbor')
    await expect(topup('1')).rejects.toThrow(`${txId} brought 1.5 ETH into the wallet`)
    const given = { tx: txId, yes: true }
    await expect(desk.run('inventory topup', ['harbor', 'USDC', '1.5'], given)).rejects.toThrow('moved no USDC')
    await expect(desk.run('inventory topup', ['harbor', 'ETH', '1.5'], { ...given, out: true })).rejects.toThrow(
      'brought 1.5',
    )
    await expect(
      desk.run('inventory topup', ['harbor', 'ETH', '1'], { ...given, unchecked: true, reason: 'I am sure' }),
    ).rejects.toThrow('nothing else is booked for it')
    const blind = openDesk({ ...deployment, chains: withoutGains(deployment) })
    const booking = (options: object) =>
      blind.run('inventory topup', ['harbor', 'ETH', '1.5'], { ...given, ...options })
    await expect(booking({})).rejects.toThrow('harbor cannot show what')
    await expect(booking({ unchecked: true })).rejects.toThrow('--reason')
    expect(await topup('1.5')).toEqual([expect.stringContaining('Booked: 1.5 ETH put into the wallet on harbor')])
    await expect(topup('1.5')).rejects.toThrow('is booked already')
    const more = await origin.chain.send(userOf(network, 0), {
      to: network.roles.solver.address,
      data: '0x',
      value: 7n,
    })
    await receiptOf(origin.chain, more)
    const tiny = '0.000000000000000007'
    const vouched = { tx: more, yes: true, unchecked: true, reason: 'seen in an explorer' }
    expect(await blind.run('inventory topup', ['harbor', 'ETH', tiny], vouched)).toEqual([
      expect.stringContaining('harbor, unchecked'),
    ])
    const [audit] = (await findAudit(database.pool, { limit: 1 })) as unknown as { action: string; details: object }[]
    expect(audit).toMatchObject({
      action: 'inventory topup',
      details: { checked: false, reason: 'seen in an explorer' },
    })
    expect(await desk.json('ledger check')).toMatchObject({ ok: true })
  })

  it('show a chain that cannot be reached and go on with the other', async () => {
    const cut = openDesk(deployment, { unreachable: [destination.chain.chainId] })
    const report = await cut.json('inventory')
    expect(listAt(report, 'chains').map((chain) => valueAt(chain, 'reachable'))).toEqual([true, false])
    const one = await cut.json('inventory', [], { chain: destination.slug })
    expect(listAt(one, 'chains').map((chain) => valueAt(chain, 'slug'))).toEqual([destination.slug])
    expect(listAt(report, 'chains.1.currencies')[0]).toMatchObject({ onChain: null, difference: null })
    expect(await cut.json('ledger check')).toMatchObject({
      ok: false,
      unchecked: [{ chainId: destination.chain.chainId }],
    })
    expect(await cut.json('ledger check', [], { offline: true })).toMatchObject({ ok: true })
  })
})
