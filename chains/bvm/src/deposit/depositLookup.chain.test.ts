import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { NETWORKS } from '../address/networks.js'
import { startRewritingNode } from '../rpc/rewritingNode.test.support.js'
import { openSourcePool, type SourceMonitor } from '../rpc/sourcePool.js'
import { monitorOf } from '../rpc/testedPool.test.support.js'
import { type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'
import { type BvmLookupDeps, bvmDepositLookup } from './depositLookup.js'

const network = NETWORKS.regtest
const orderId = `0x${'6b'.repeat(32)}` as const

let chain: LocalBitcoin
let deps: BvmLookupDeps
let lookup: ReturnType<typeof bvmDepositLookup>
let monitor: SourceMonitor

beforeAll(async () => {
  chain = await startLocalBitcoin()
  const [user, depository] = [chain.accounts[0], chain.accounts[1]]
  if (user === undefined || depository === undefined) throw new Error('no accounts')
  const watched = { address: depository.addresses.p2wpkh, script: depository.scripts.p2wpkh }
  const pool = openSourcePool({
    endpoints: [
      { http: chain.url, provider: 'one' },
      { http: chain.rpcUrl, provider: 'two' },
    ],
    settings: {
      access: ['esplora', 'core'],
      genesisHash: network.genesisHash,
      rpcTimeoutMs: 10_000,
      maxAnswerBytes: 8_000_000,
    },
    logger: pino({ level: 'silent' }),
  })
  monitor = monitorOf(pool, 4n)
  deps = {
    pool,
    watched,
    rules: { network, depository: watched.script },
    monitor,
    settle: 4,
  }
  lookup = bvmDepositLookup(deps)
})

afterEach(() => chain.clearFaults())

afterAll(async () => {
  deps.pool.close()
  await chain.close()
})

const pay = async (value: bigint, at = 0) => {
  const user = chain.accounts[at]
  if (user === undefined) throw new Error('no account')
  return chain.pay(user, [{ to: deps.watched.address, value }], { data: orderId })
}

const claimOf = (id: string, amount: bigint) => ({
  tx: { id },
  position: 0,
  money: { currency: NATIVE, amount },
  orderId,
})

test('invariant 3: a deposit is trusted when enough providers show it, as deep as is asked for', async () => {
  const [small, large] = [await pay(50_000n), await pay(100_000n, 2)]
  const confirm = (id: string, amount: bigint, confirmations = 1) =>
    lookup.confirmDeposit(claimOf(id, amount), { agreeing: 2, confirmations })
  expect(await confirm(small, 50_000n)).toBe(false)
  await chain.mine()
  expect(await confirm(small, 50_000n)).toBe(true)
  expect(await confirm(small, 50_001n)).toBe(false)
  expect(await lookup.confirmDeposit({ ...claimOf(small, 50_000n), orderId: null }, { agreeing: 1 })).toBe(false)
  expect(await confirm(large, 100_000n, 3)).toBe(false)
  await chain.mine(2)
  expect(await confirm(large, 100_000n, 3)).toBe(true)
  const told: string[] = []
  monitor.onDisagreement(({ subject, details }) => told.push(`${subject}: ${details}`), new AbortController().signal)
  await chain.hide(small, { api: 'esplora' })
  expect(await confirm(small, 50_000n)).toBe(false)
  expect(told).toEqual([`deposit ${small} 0: shown by two; denied by one`])
  expect(await lookup.confirmDeposit(claimOf(small, 50_000n), { agreeing: 1 })).toBe(true)
  await chain.hide(small, { api: 'esplora', shown: true })
  await chain.failNext({ api: 'esplora', status: 500 })
  await expect(confirm(small, 50_000n)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('after a reorganization a deposit is present, waits again, or is gone', async () => {
  const [stays, leaves] = [await pay(30_000n), await pay(31_000n, 3)]
  const evidence = async () =>
    (await lookup.recheckDeposits([stays, leaves].map((id) => ({ tx: { id }, position: 0 })))).map(
      ({ finding, reason }) => [finding, reason],
    )
  expect(await lookup.findTransaction({ id: stays })).toMatchObject({ status: 'pending', depositOrderIds: [orderId] })
  await chain.mine()
  const present = ['present', 'The transaction is in a block']
  expect(await evidence()).toEqual([present, present])
  expect(await lookup.findTransaction({ id: stays })).toMatchObject({ status: 'success', depositOrderIds: [orderId] })
  await chain.hide(stays, { api: 'esplora' })
  expect(await evidence()).toEqual([present, present])
  await chain.hide(stays, { api: 'esplora', shown: true })
  await chain.reorg(1, { drop: [leaves] })
  expect(await evidence()).toEqual([
    ['missing', 'The transaction waits in the mempool again'],
    ['missing', 'No node knows the transaction'],
  ])
  expect(await lookup.findTransaction({ id: leaves })).toEqual({ status: 'unknown', block: null, depositOrderIds: [] })
})

test('K.2 6: a node that is still on the branch that was left says nothing of where a deposit is now', async () => {
  const id = await pay(32_000n, 4)
  await chain.mine()
  const [answers, old] = [new Map<string, string>(), { branch: false }]
  const stale = await startRewritingNode(chain.url, (asked, answer) => {
    if (!old.branch) answers.set(asked, answer)
    return old.branch ? (answers.get(asked) ?? answer) : answer
  })
  const pool = openSourcePool({
    endpoints: [
      { http: stale.url, provider: 'one' },
      { http: chain.rpcUrl, provider: 'two' },
    ],
    settings: {
      access: ['esplora', 'core'],
      genesisHash: network.genesisHash,
      rpcTimeoutMs: 5000,
      maxAnswerBytes: 8e6,
    },
    logger: pino({ level: 'silent' }),
  })
  const evidence = async () =>
    (await bvmDepositLookup({ ...deps, pool }).recheckDeposits([{ tx: { id }, position: 0 }])).map(
      ({ finding }) => finding,
    )
  expect(await evidence()).toEqual(['present'])
  old.branch = true
  await chain.reorg(1)
  await expect(evidence()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  old.branch = false
  expect(await evidence()).toEqual(['missing'])
  await chain.mine()
  expect(await evidence()).toEqual(['present'])
  await chain.failNext({ api: 'rpc', status: 500 })
  await expect(evidence()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  pool.close()
  await stale.close()
})
