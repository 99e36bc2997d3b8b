import { type Hex, type Json, ServiceError } from '@causeway/core'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HypeAdapter } from '../adapter.js'
import { NATIVE, USDC } from '../address/addresses.js'
import { depositsFrom, type HypeWorld, newKey, newOrder, only, openHypeWorld, SPOT } from '../hypeWorld.test.support.js'

const AMOUNT = 3n * USDC
const DAY = 86_400_000

let world: HypeWorld
let adapter: HypeAdapter
beforeAll(async () => {
  world = await openHypeWorld()
  adapter = world.adapterOver()
  await adapter.start(new AbortController().signal)
}, 60_000)
afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

type Transfer = Partial<Parameters<HypeWorld['wallet']['sendAsset']>[0]>

/** Sends the depository a transfer; returns its hash and the height before. */
const send = async (more: Transfer = {}) => {
  const { chain, wallet, vault } = world
  const height = BigInt(await chain.headMs()) + 1n
  const sent = wallet.sendAsset({ destination: vault.address, amount: AMOUNT, ...more })
  return { hash: await sent, height }
}

/** Sends an older kind of transfer, with a mapping of its time; returns the hash of its update. */
const older = async (type: string, name: string, token: { readonly token?: string }): Promise<string> => {
  const { wallet, vault } = world
  const since = await wallet.chain.time()
  const time = await wallet.nextNonce()
  await world.map(newOrder(), time)
  const parameters = { hyperliquidChain: 'Testnet', destination: vault.address, ...token, amount: '3', time }
  const fields = Object.keys(parameters).map((field) => ({ name: field, type: field === 'time' ? 'uint64' : 'string' }))
  const eip712PrimaryType = `HyperliquidTransaction:${name}`
  const eip712Types = { [eip712PrimaryType]: fields }
  const body = await wallet.sign({ action: { type, parameters }, nonce: time, eip712Types, eip712PrimaryType })
  expect(await wallet.post(body)).toMatchObject({ status: 'ok' })
  await world.chain.advance(1)
  return only(await wallet.chain.updates(wallet.address, since + 1)).hash
}

const depositOf = async ({ hash, height }: { hash: string; height: bigint }) => {
  await world.chain.advance(1)
  return only((await depositsFrom(adapter, height, ({ tx }) => tx.id === hash)).filter(({ tx }) => tx.id === hash))
}

/** A transfer with a mapping of its nonce. */
const mapped = async (orderId: Hex, change: { wallet?: string; depositor?: string } = {}, more: Transfer = {}) => {
  const nonce = more.nonce ?? (await world.wallet.nextNonce())
  await world.map(orderId, nonce, change.wallet, change.depositor)
  return depositOf(await send({ nonce, ...more }))
}

describe('which order a transfer is for (chains.md hypevm 3)', () => {
  it('that of the mapping of its sender and nonce', async () => {
    const orderId = newOrder()
    expect(await mapped(orderId)).toMatchObject({
      ...{ orderId, depositor: world.owner.address, source: world.owner.address, fee: 0n, index: 0 },
      money: { currency: NATIVE, amount: AMOUNT },
    })
  })

  it('none where another wallet mapped the nonce, or nobody did', async () => {
    expect((await mapped(newOrder(), { wallet: newKey().address })).orderId).toBeNull()
    expect((await depositOf(await send())).orderId).toBeNull()
  })

  it('the first where a nonce is mapped twice', async () => {
    const [first, second] = [newOrder(), newOrder()]
    const nonce = await world.wallet.nextNonce()
    await world.map(first, nonce)
    expect(await world.map(second, nonce)).toBe('taken')
    expect((await depositOf(await send({ nonce }))).orderId).toBe(first)
  })

  it('of another depositor where the wallet says so', async () => {
    const depositor = newKey().address
    expect(await mapped(newOrder(), { depositor })).toMatchObject({ depositor, senders: [world.owner.address] })
  })

  it('a nonce is used once, and not when it is two days old', async () => {
    const nonce = await world.wallet.nextNonce()
    await send({ nonce })
    await expect(send({ nonce })).rejects.toThrow(/duplicate nonce/)
    await expect(send({ nonce: nonce - 2 * DAY })).rejects.toThrow(/nonce too low/)
  })
})

describe('what arrived, where it arrived', () => {
  it('perps and spot USDC are two currencies, by the exchange of the recipient', async () => {
    const orderId = newOrder()
    const deposit = await mapped(orderId, {}, { destinationDex: 'spot' })
    expect(deposit).toMatchObject({ orderId, money: { currency: SPOT, amount: AMOUNT } })
  })

  it('a usdSend and a spotSend arrive without an order', async () => {
    const height = BigInt(await world.chain.headMs()) + 1n
    const usd = await older('usdSend', 'UsdSend', {})
    expect(await depositOf({ hash: usd, height })).toMatchObject({ orderId: null, money: { currency: NATIVE } })
    const spot = await older('spotSend', 'SpotSend', { token: `USDC:${SPOT}` })
    expect(await depositOf({ hash: spot, height })).toMatchObject({ orderId: null, money: { currency: SPOT } })
  })

  it('is found again by its hash alone', async () => {
    const orderId = newOrder()
    const { tx } = await mapped(orderId)
    expect(await adapter.findTransaction({ id: tx.id })).toMatchObject({
      status: 'success',
      depositOrderIds: [orderId],
    })
  })
})

describe('a transfer before its mapping', () => {
  it('waits, and is reported when the mapping comes', async () => {
    const waiting = world.adapterOver({ mappingWaitSeconds: 3600 })
    await waiting.start(new AbortController().signal)
    try {
      const nonce = await world.wallet.nextNonce()
      const { hash, height } = await send({ nonce })
      const [orderId, later] = [newOrder(), newOrder()]
      const next = await world.wallet.nextNonce()
      await world.map(later, next)
      await world.chain.advance(1)
      const seen = depositsFrom(waiting, height, (deposit) => deposit.tx.id === hash)
      await send({ nonce: next })
      await world.map(orderId, nonce)
      await world.chain.advance(1)
      expect((await seen).find(({ tx }) => tx.id === hash)).toMatchObject({ orderId })
    } finally {
      await waiting.stop()
    }
  })
})

it('a transfer that waited in another process is reported by the next one', async () => {
  const [one, two] = [0, 1].map(() => world.adapterOver({ mappingWaitSeconds: 3600 }))
  if (one === undefined || two === undefined) throw new Error('There are no two adapters.')
  for (const each of [one, two]) await each.start(new AbortController().signal)
  /** Reads from a cursor on until a deposit of an order comes; returns the cursor behind it, and all hashes. */
  const readTo = async (watcher: HypeAdapter, cursor: Json, orderId: Hex) => {
    const hashes: string[] = []
    for await (const page of watcher.watch(cursor, NOTHING_LIVE, AbortSignal.timeout(20_000))) {
      hashes.push(...page.deposits.map(({ tx }) => tx.id))
      if (page.deposits.some((deposit) => deposit.orderId === orderId)) return { cursor: page.cursor, hashes }
    }
    throw new Error('The deposit did not come.')
  }
  const sendMapped = async () => {
    const [orderId, nonce] = [newOrder(), await world.wallet.nextNonce()]
    await world.map(orderId, nonce)
    await send({ nonce })
    await world.chain.advance(1)
    return orderId
  }
  try {
    const begun = await one.cursorAt?.(BigInt(await world.chain.headMs()))
    const first = await readTo(one, begun ?? null, await sendMapped())
    const nonce = await world.wallet.nextNonce()
    const { hash } = await send({ nonce })
    const second = await readTo(two, first.cursor, await sendMapped())
    expect(second.hashes).not.toContain(hash)
    const orderId = newOrder()
    await world.map(orderId, nonce)
    await world.chain.advance(1)
    expect((await readTo(one, second.cursor, orderId)).hashes).toContain(hash)
  } finally {
    for (const each of [one, two]) await each.stop()
  }
})

describe('steps of a deposit', () => {
  const build = (currency: string, amount: bigint) =>
    adapter.buildDeposit({
      from: world.owner.address,
      money: { currency, amount },
      orderId: newOrder(),
      explicitDeposit: true,
    })

  it('have one nonce, which no other step has', async () => {
    const [first, second] = [await build(NATIVE, AMOUNT), await build(SPOT, AMOUNT)]
    const nonces = [...first, ...second].map(({ data }) => Object(data).nonce ?? Object(data).post.body.nonce)
    expect(nonces[0]).toBe(nonces[1])
    expect(nonces[2]).toBe(nonces[3])
    expect(nonces[0]).not.toBe(nonces[2])
  })

  it('are refused for more decimal places than the exchange has, and for an unknown currency', async () => {
    await expect(build(NATIVE, 199n)).rejects.toThrow(ServiceError)
    await expect(build(`0x${'99'.repeat(16)}`, AMOUNT)).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
  })
})
