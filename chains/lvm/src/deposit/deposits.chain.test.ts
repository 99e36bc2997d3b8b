import type { Hex } from '@causeway/core'
import { type AccessToken, type AccessTokens, type DepositEvent, NOTHING_LIVE } from '@causeway/core/chain'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { LighterAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { type LighterWorld, openLighterWorld, PLENTY, transferStep } from '../lighterWorld.test.support.js'
import { STATUS } from '../testing/engine/ledgerTx.js'

const ORDER: Hex = `0x${'ab'.repeat(32)}`
const SPOT = { fromRouteType: 1, toRouteType: 1 }

let world: LighterWorld
let adapter: LighterAdapter

beforeAll(async () => {
  world = await openLighterWorld()
  await world.chain.fund(world.user.owner, PLENTY, '3')
  adapter = world.adapterOver(world.endpoints())
  await adapter.start(new AbortController().signal)
}, 60_000)

afterEach(() => world.chain.clearFaults())

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

/** Deposits of the blocks above a height, up to the newest one: each once, however often a page repeats it. */
const depositsSince = async (read: LighterAdapter, height: number): Promise<readonly DepositEvent[]> => {
  const newest = BigInt(await world.chain.height())
  const found = new Map<string, DepositEvent>()
  const stop = new AbortController()
  for await (const page of read.watch(await read.cursorAt(BigInt(height + 1)), NOTHING_LIVE, stop.signal)) {
    for (const deposit of page.deposits) found.set(deposit.tx.id, deposit)
    if (page.height >= newest) stop.abort()
  }
  return [...found.values()]
}

const depositsOf = async (changes: Parameters<typeof transferStep>[1], to = world.vault.account) => {
  const height = await world.chain.height()
  const id = await world.send(transferStep(to, { memo: ORDER, ...changes }))
  return { id, found: await depositsSince(adapter, height) }
}

it('perps USDC and spot USDC are two currencies of one asset, and each deposit has its order and sender', async () => {
  const perps = await depositsOf({ amount: 7_000_001 })
  const spot = await depositsOf({ ...SPOT, amount: 7_000_002 })
  const moved = await depositsOf({ fromRouteType: 1, amount: 7_000_003 })
  for (const [{ id, found }, currency, amount] of [
    [perps, NATIVE, 7_000_001n],
    [spot, '3', 7_000_002n],
    [moved, NATIVE, 7_000_003n],
  ] as const)
    expect(found).toMatchObject([
      {
        ...{ tx: { id }, orderId: ORDER, depositor: world.user.account, source: world.user.account, position: 0 },
        ...{ money: { currency, amount }, fee: 3_000_000n, depository: world.vault.account },
      },
    ])
})

it('a memo whose last 12 bytes are zero names no order', async () => {
  const { found } = await depositsOf({ memo: `0x${'ab'.repeat(20)}${'00'.repeat(12)}` })
  expect(found).toMatchObject([{ orderId: null, money: { currency: NATIVE, amount: 20_000_000n } }])
})

it('a transfer that failed in its block, or waits for one, is no deposit', async () => {
  await world.chain.failNextTransfer(STATUS.rejected)
  expect((await depositsOf({})).found).toEqual([])
  await world.chain.holdTransactions()
  const { id, found } = await depositsOf({})
  expect(found).toEqual([])
  expect((await adapter.findTransaction({ id })).status).toBe('pending')
  await world.chain.releaseTransactions()
  const height = await world.chain.height()
  await world.chain.advance()
  expect(await depositsSince(adapter, height)).toHaveLength(1)
})

it('a deposit whose status goes back to failed is found to have failed', async () => {
  const { id, found } = await depositsOf({})
  const [deposit] = found
  if (deposit === undefined) throw new Error('There is no deposit.')
  const claim = { tx: { id }, position: 0, money: deposit.money, orderId: ORDER }
  expect(await adapter.confirmDeposit(claim, { agreeing: 1 })).toBe(true)
  await world.chain.regress(id, STATUS.failed)
  expect(await adapter.confirmDeposit(claim, { agreeing: 1 })).toBe(false)
  expect(await adapter.findTransaction({ id })).toMatchObject({ status: 'failure' })
})

class Stored implements AccessTokens {
  readonly #tokens = new Map<string, AccessToken>()
  load = async (_: number, account: string) => this.#tokens.get(account) ?? null
  save = async (_: number, account: string, token: AccessToken) => void this.#tokens.set(account, token)
}

it('a watcher without an API key reads by the stored token, stands still without one, and skips no block', async () => {
  const stored = new Stored()
  const watcher = world.adapterOver(world.endpoints(), { isKeyless: true, accessTokens: stored })
  await watcher.start(new AbortController().signal)
  const height = await world.chain.height()
  const id = await world.send(transferStep(world.vault.account, { memo: ORDER }))
  const pages: bigint[] = []
  const stop = new AbortController()
  const reading = (async () => {
    for await (const page of watcher.watch(await watcher.cursorAt(BigInt(height + 1)), NOTHING_LIVE, stop.signal)) {
      pages.push(page.height)
      if (page.deposits.length > 0) return page.deposits
    }
    return []
  })()
  // The list of an account is not even asked for without a token.
  await expect.poll(async () => (await watcher.tip()).height).toBeGreaterThan(BigInt(height))
  expect(pages).toEqual([])
  const holder = world.adapterOver(world.endpoints(), { accessTokens: stored })
  const keeping = new AbortController()
  await holder.start(keeping.signal)
  // A page may repeat what was read before.
  expect((await reading).map(({ tx }) => tx.id)).toContain(id)
  stop.abort()
  keeping.abort()
  await Promise.all([watcher.stop(), holder.stop()])
}, 60_000)
