import { afterAll, beforeAll, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { createPayWorld, freshAddress, type PayWorld } from '../lane/payWorld.test.support.js'
import { type LocalSvmChain, startLocalSvm } from '../testing/index.js'
import { readTokens } from './tokenFacts.js'

let chain: LocalSvmChain
let world: PayWorld

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  world = createPayWorld(chain)
})
afterAll(async () => {
  world?.close()
  await chain?.close()
})

const factsOf = (currency: string) => readTokens([currency], world.accounts).then(([facts]) => facts)

test('a mint of Token-2022 says its name and symbol, cut and cleaned', async () => {
  const plain = await chain.createToken({ decimals: 5, metadata: { name: 'Pressed Flowers', symbol: 'PRESS' } })
  expect(await factsOf(plain)).toEqual({ name: 'Pressed Flowers', symbol: 'PRESS', decimals: 5 })
  const name = `\u202e line\n${'x'.repeat(100)}`
  const odd = await chain.createToken({ decimals: 0, metadata: { name, symbol: '\u0000\n ' } })
  expect(await factsOf(odd)).toEqual({ name: `line ${'x'.repeat(59)}`, symbol: shortened(odd), decimals: 0 })
})

test('other mints go by their address', async () => {
  const mint = await chain.createToken({ decimals: 6 })
  expect(await factsOf(mint)).toEqual({ name: shortened(mint), symbol: shortened(mint), decimals: 6 })
})

test('what is no mint is no token', async () => {
  const holder = freshAddress()
  const mint = await chain.createToken({ decimals: 6 })
  for (const address of [NATIVE, freshAddress(), world.solver.address, await chain.openTokenAccount(holder, mint)]) {
    expect(await factsOf(address)).toBeNull()
  }
})

const shortened = (mint: string): string => `${mint.slice(0, 4)}…${mint.slice(-4)}`
