import type { Diagnosis } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { CHAIN_ID, type LedgerWorld, newAddress, openLedgerWorld, XRP } from '../ledgerWorld.test.support.js'
import { startRewritingNode } from '../rpc/rewritingNode.test.support.js'

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
    ...['account', 'rippling', 'trust line TOK', 'account', 'rippling', 'trust line TOK'],
  ])
  expect(JSON.stringify(found)).not.toContain('127.0.0.1')
})

test('F165: each command that a server does not serve is told with its cost', async () => {
  const node = await startRewritingNode(world.chain.rpcUrl)
  for (const method of ['simulate', 'account_objects'])
    node.rewrite(method, () => ({ status: 'error', error: 'unknownCmd', error_code: 32 }))
  try {
    const found = await run({}, [{ ...world.endpoint, http: node.url }])
    const limits = found.filter(({ check }) => check === 'rpc limits')
    expect(limits.map(({ message, remedy }) => [message, remedy])).toEqual([
      ['does not serve account_objects', expect.stringContaining('tickets')],
      ['does not serve simulate', expect.stringContaining('costs its network fee')],
    ])
  } finally {
    await node.close()
  }
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

describe('F155: payments of others between two issuers', () => {
  const [CLEAR_NO_RIPPLE, SET_NO_RIPPLE, DEFAULT_RIPPLE] = [0x4_0000, 0x2_0000, 8]

  /** Reason why the chain is not quoted. */
  const held = async (options: Parameters<typeof run>[0] = {}): Promise<readonly string[]> => {
    const adapter = world.adapterOver(options)
    const found = await adapter.verifyContracts({ allocator: world.depository }).finally(() => adapter.stop())
    expect(found.every(({ state, remedy }) => state === 'ok' || remedy !== undefined)).toBe(true)
    return found.filter(({ state }) => state === 'fault').map(({ subject, message }) => `${subject} ${message}`)
  }

  it('a line without NoRipple of any account of ours is a fault, also one that appears later', async () => {
    const deposits = newAddress()
    await world.fund(deposits, 100n * XRP)
    const options = { depositAccount: deposits }
    expect(await held(options)).toEqual([])
    const names = { solver: world.solver, depository: world.depository, 'deposit addresses': deposits }
    for (const [name, Account] of Object.entries(names)) {
      const line = {
        TransactionType: 'TrustSet' as const,
        Account,
        LimitAmount: { currency: 'OLD', issuer: world.user, value: '1' },
      }
      await world.apply({ ...line, Flags: CLEAR_NO_RIPPLE })
      const why = `local-xrp ${name} has trust lines without NoRipple, so that payments of others go through its balances: OLD of ${world.user}`
      expect(await held(options)).toEqual([why])
      expect(wrong(await run(options))).toContain(`local-xrp ${name}: rippling`)
      await world.apply({ ...line, Flags: SET_NO_RIPPLE })
      expect(await held(options)).toEqual([])
    }
  })

  it('DefaultRipple is a fault, and so is the line that another opens meanwhile', async () => {
    const [depository, other] = [newAddress(), newAddress()]
    await world.fund(depository, 100n * XRP)
    await world.fund(other, 100n * XRP)
    await world.apply({ TransactionType: 'AccountSet', Account: depository, SetFlag: DEFAULT_RIPPLE })
    const LimitAmount = { currency: 'OLD', issuer: depository, value: '1' }
    await world.apply({ TransactionType: 'TrustSet', Account: other, LimitAmount, Flags: SET_NO_RIPPLE })
    const found = await held({ depository })
    expect(found.some((text) => text.includes('has DefaultRipple set'))).toBe(true)
    expect(found.some((text) => text.includes(`OLD of ${other}`))).toBe(true)
    await world.apply({ TransactionType: 'AccountSet', Account: depository, ClearFlag: DEFAULT_RIPPLE })
    expect((await held({ depository })).filter((text) => text.includes('DefaultRipple'))).toEqual([])
    expect((await held({ depository })).some((text) => text.includes(`OLD of ${other}`))).toBe(true)
  })
})
