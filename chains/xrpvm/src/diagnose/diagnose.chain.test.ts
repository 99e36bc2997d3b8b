import type { Diagnosis } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHAIN_ID, type LedgerWorld, newAddress, openLedgerWorld, XRP } from '../ledgerWorld.test.support.js'

const [REQUIRE_DEST] = [1]

let world: LedgerWorld

beforeAll(async () => {
  world = await openLedgerWorld()
})

afterAll(() => world?.chain.close())

const run = async (
  options: Parameters<LedgerWorld['adapterOver']>[0] = {},
  rpc: Parameters<LedgerWorld['adapterOver']>[1] = [world.endpoint],
  allocator: string | null = world.depository,
): Promise<readonly Diagnosis[]> => {
  const adapter = world.adapterOver(options, rpc)
  const closing = setInterval(() => void world.chain.advance(), 100)
  try {
    return await adapter.diagnose({ timeoutMs: 2000, allocator })
  } finally {
    clearInterval(closing)
    await adapter.stop()
  }
}

const wrong = (found: readonly Diagnosis[], state: Diagnosis['state'] = 'fault') =>
  found.filter((one) => one.state === state).map(({ check, subject }) => `${subject}: ${check}`)

test('all is well: every check says so, and nothing shows a URL', async () => {
  for (const Account of [world.solver, world.depository])
    await world.apply({ TransactionType: 'TicketCreate', Account, TicketCount: 2 })
  const found = await run()
  expect(found.filter(({ state }) => state !== 'ok')).toEqual([])
  expect(found.map(({ check }) => check)).toEqual([
    ...['rpc', 'rpc head', 'rpc history', 'rpc websocket', 'allocator'],
    ...['account', 'trust line TOK', 'account', 'trust line TOK'],
  ])
  expect(JSON.stringify(found)).not.toContain('127.0.0.1')
})

test('each planted fault is found and has a remedy', async () => {
  const { chain, endpoint } = world
  const [nobody, poor] = [newAddress(), newAddress()]
  await world.fund(poor, XRP)
  const own = 'local-xrp depository'
  const cases = [
    { expected: ['local-xrp / local: rpc chain id'], of: await run({ networkId: CHAIN_ID + 1 }, [{ ...endpoint }]) },
    { expected: ['local-xrp / endpoint 1: rpc'], of: await run({}, [{ http: 'http://127.0.0.1:1' }]) },
    {
      expected: ['local-xrp / endpoint 1: rpc websocket'],
      of: await run({}, [{ http: chain.rpcUrl, ws: 'ws://127.0.0.1:1' }]),
    },
    { expected: [`${own}: allocator`], of: await run({}, undefined, nobody) },
    { expected: [`${own}: account`], of: await run({ depository: nobody }, undefined, nobody) },
    {
      expected: [`${own}: account`, `${own}: trust line TOK`],
      of: await run({ depository: poor }, undefined, poor),
    },
    {
      expected: [`${own}: account`],
      of: (await run({ depository: world.solver }, undefined, world.solver)).filter(
        ({ subject }) => !subject.includes('/'),
      ),
    },
    { expected: ['local-xrp deposit addresses: account'], of: await run({ depositAccount: nobody }) },
  ]
  for (const { expected, of } of cases) {
    expect(wrong(of).filter((one) => !one.includes('websocket') || expected.includes(one))).toEqual(expected)
    expect(of.every(({ state, remedy }) => state === 'ok' || remedy !== undefined)).toBe(true)
  }
})

test('a depository that asks for tags is a fault; a payer without tickets, and history that does not reach back, are warnings', async () => {
  const closed = newAddress()
  await world.fund(closed, 100n * XRP)
  await world.fund(closed, 1n, world.token)
  await world.apply({ TransactionType: 'AccountSet', Account: closed, SetFlag: REQUIRE_DEST })
  const found = await run({ depository: closed }, undefined, closed)
  expect(wrong(found)).toEqual(['local-xrp depository: account flags'])
  expect(wrong(found, 'warning')).toEqual(['local-xrp depository: tickets'])
  const now = await world.chain.height()
  await world.chain.advance(2)
  await world.chain.cutHistory(`${now}-${now + 2}`)
  expect(wrong(await run({ startLedger: 3 }), 'warning')).toEqual(['local-xrp / local: rpc history'])
  await world.chain.cutHistory(null)
})
