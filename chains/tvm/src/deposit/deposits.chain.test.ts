import { multiDepositBytecode } from '@causeway/contracts-abi'
import type { DepositEvent, StepItemDraft, WatchPage } from '@causeway/core/chain'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TronAdapter } from '../adapter.js'
import { selectorOf } from '../address/abi.js'
import { hexOf, NATIVE, sunNumber } from '../address/addresses.js'
import { words } from '../testing/tokens/words.js'
import { LAG, newOrderId, openTronWorld, TRX, type TronWorld } from '../tronWorld.test.support.js'

let world: TronWorld
let adapter: TronAdapter

beforeAll(async () => {
  world = await openTronWorld()
  await world.chain.advance(LAG + 1)
  adapter = world.adapterOver()
  await adapter.start(new AbortController().signal)
}, 60_000)

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

/** Signs, sends and includes steps; returns the id of the last. */
const sendSteps = async (items: readonly StepItemDraft[]): Promise<string> => {
  let id = ''
  for (const item of items) {
    id = await (await world.wallet.prepare([{ items: [item] }])).send()
    await world.chain.advance()
  }
  return id
}

const callStep = (to: string, data: string, value = 0n): StepItemDraft => ({
  ...{ stepId: 'deposit', kind: 'transaction', action: '', description: '' },
  data: {
    type: 'TriggerSmartContract',
    parameter: {
      ...{ owner_address: hexOf(world.user.address), contract_address: hexOf(to), data, call_value: sunNumber(value) },
    },
    chainId: 0,
  },
})

/** Pages from a height on, until they have come to the newest block. */
const watchFrom = async (height: bigint): Promise<readonly WatchPage[]> => {
  const controller = new AbortController()
  const pages: WatchPage[] = []
  const end = BigInt(await world.chain.height())
  for await (const page of adapter.watch(await adapter.cursorAt(height), NOTHING_LIVE, controller.signal)) {
    pages.push(page)
    if (page.height >= end) break
  }
  controller.abort()
  return pages
}

const depositsSince = async (height: number): Promise<readonly DepositEvent[]> =>
  (await watchFrom(BigInt(height) + 1n)).flatMap(({ deposits }) => deposits)

describe('deposits', () => {
  it('of USDT need a reset where an allowance is left, and credit what arrived', async () => {
    const orderId = newOrderId()
    const request = (amount: bigint) => ({
      ...{ from: world.user.address, money: { currency: world.usdt, amount }, orderId, explicitDeposit: true },
    })
    const [approve] = await adapter.buildDeposit(request(3n * TRX))
    if (approve === undefined) throw new Error('There is no approval.')
    await sendSteps([approve])
    const before = await world.chain.height()
    const steps = await adapter.buildDeposit(request(9n * TRX))
    expect(steps.map(({ stepId }) => stepId)).toEqual(['approve', 'approve', 'deposit'])
    const id = await sendSteps(steps)
    const deposits = await depositsSince(before)
    expect(deposits).toMatchObject([
      { tx: { id }, orderId, depositor: world.user.address, money: { currency: world.usdt, amount: 9n * TRX } },
    ])
  })

  it('come as a bare transfer with the order id behind it', async () => {
    const orderId = newOrderId()
    const money = { currency: world.usdt, amount: 4n * TRX }
    const before = await world.chain.height()
    const steps = await adapter.buildDeposit({ from: world.user.address, money, orderId, explicitDeposit: false })
    expect(steps).toHaveLength(1)
    await sendSteps(steps)
    expect(await depositsSince(before)).toMatchObject([{ orderId, money, depositor: world.user.address }])
  })

  it('of a token that answers nothing are credited by its event', async () => {
    const token = await world.newToken('no-return')
    const orderId = newOrderId()
    const before = await world.chain.height()
    const money = { currency: token, amount: 4n * TRX }
    await sendSteps(await adapter.buildDeposit({ from: world.user.address, money, orderId, explicitDeposit: true }))
    expect(await depositsSince(before)).toMatchObject([{ orderId, money }])
  })

  it('are two where one transaction makes two, with places of their own', async () => {
    const token = await world.newToken('standard')
    const many = await world.chain.deploy({ bytecode: multiDepositBytecode, name: 'MultiDeposit' })
    const orderId = newOrderId()
    await sendSteps([callStep(token, `095ea7b3${words(many, 5n)}`)])
    const before = await world.chain.height()
    const list = words(world.depository, world.user.address, orderId, 128n, 2n, NATIVE, TRX, token, 5n)
    const selector = selectorOf('depositMany(address,address,bytes32,(address,uint256)[])')
    await sendSteps([callStep(many, selector + list, TRX)])
    const found = await depositsSince(before)
    expect(found).toMatchObject([
      { position: 0, orderId, money: { currency: NATIVE, amount: TRX } },
      { position: 1, orderId, money: { currency: token, amount: 5n } },
    ])
    expect(new Set(found.map(({ index }) => index)).size).toBe(2)
    const [first] = found
    if (first === undefined) throw new Error('There is no deposit.')
    const [evidence] = await adapter.recheckDeposits([{ tx: first.tx, position: 1 }])
    expect(evidence).toMatchObject({ finding: 'present', deposit: { index: found[1]?.index } })
  })

  it('are none where the call failed in its block', async () => {
    const before = await world.chain.height()
    await sendSteps([callStep(world.depository, `49290c1c${words(world.user.address)}`, TRX)])
    expect(await depositsSince(before)).toEqual([])
  })

  it('leave with their block, and come back with another', async () => {
    const orderId = newOrderId()
    const money = { currency: NATIVE, amount: TRX }
    const steps = await adapter.buildDeposit({ from: world.user.address, money, orderId, explicitDeposit: true })
    const before = await world.chain.height()
    const id = await sendSteps(steps)
    expect(await depositsSince(before)).toHaveLength(1)
    await world.chain.reorg?.(1)
    await world.chain.advance()
    expect(await adapter.findTransaction({ id })).toMatchObject({ status: 'unknown' })
    await sendSteps(steps)
    expect(await depositsSince(before)).toMatchObject([{ orderId }])
  })
})

describe('reading', () => {
  it('reads 10,000 blocks without transactions by a hundred questions, and none for their results', async () => {
    await world.chain.advance(10_000)
    const before = await world.chain.counts()
    const started = performance.now()
    const pages = await watchFrom(BigInt((await world.chain.height()) - 9_999))
    const seconds = (performance.now() - started) / 1000
    const counts = await world.chain.counts()
    const asked = (method: string) => (counts[method] ?? 0) - (before[method] ?? 0)
    expect(pages.at(-1)?.height).toBe(BigInt(await world.chain.height()))
    expect(asked('wallet/getblockbylimitnext')).toBeLessThan(250)
    expect(asked('wallet/gettransactioninfobyblocknum')).toBe(0)
    expect(seconds).toBeLessThan(30)
  }, 60_000)
})
