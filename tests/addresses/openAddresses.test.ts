import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../harness/until.js'
import { loadKinds } from '../transfers/matrixCells.js'
import { currencyOf } from '../transfers/servedChain.js'
import { type AddressChain, type AddressWorld, give, payTo, startAddressWorld } from './addressWorld.js'

const kinds = await loadKinds()
let world: AddressWorld
beforeAll(async () => {
  world = await startAddressWorld(kinds, 6)
})
afterAll(async () => {
  if (process.env.SHOW_LOG) (await import('node:fs')).writeFileSync(process.env.SHOW_LOG, world?.host.log() ?? '')
  await world?.close()
})

const balance = (chain: AddressChain, holder: string, symbol: string): Promise<bigint> =>
  chain.reader.balance(holder, currencyOf(chain, symbol).address)

describe('wire.md E.2, open, on each kind of chain', () => {
  const natives = kinds.map(({ testing, usd }) => ({
    vm: testing.vmType,
    symbol: testing.native.symbol,
    amount: (200n * 10n ** BigInt(testing.native.decimals)) / usd,
  }))

  it.each(natives)('exact amount, $vm: the original quote is filled', async ({ vm, symbol, amount }) => {
    const [from, to] = [world.chain(vm), world.chain(vm, 1)]
    const given = await give(world, { from, to, symbol, amount })
    await payTo(given)
    const end = await world.api.waitForEnd(given.requestId)
    expect(end).toMatchObject({ status: 'success', failReason: 'N/A' })
    expect(await balance(to, given.recipient, symbol)).toBe(given.amountOut)
    expect(await balance(from, given.address, symbol)).toBe(0n)
  })

  it.each(natives)('less, $vm: another quote for what came, told under the first id (K.4 1)', async ({ vm, symbol, amount }) => {
    const [from, to] = [world.chain(vm), world.chain(vm, 1)]
    const given = await give(world, { from, to, symbol, amount })
    await payTo(given, { amount: (amount * 6n) / 10n })
    const end = await world.api.waitForEnd(given.requestId)
    expect(end).toMatchObject({ status: 'success', failReason: 'N/A' })
    const received = await until('the recipient to be paid', async () => (await balance(to, given.recipient, symbol)) || null)
    expect(received).toBeLessThan((amount * 6n) / 10n)
    expect(received).toBeGreaterThan((amount * 5n) / 10n)
  })
})
