import { afterAll, beforeAll, expect, it } from 'vitest'
import { readLedgerBalances } from '../../ledger/ledger.js'
import { GroundWorld } from '../groundWorld.test.support.js'

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

const gas = async (): Promise<bigint> => {
  const balances = await readLedgerBalances(world.pool)
  return balances.find(({ account }) => account === 'gas')?.balance ?? 0n
}

it('the gas of a payment is booked while it is on the chain, also when it comes back into the block that it left', async () => {
  const event = await world.deposit()
  await world.signAndStore(await world.decide(event, 'fill'))
  const [first, second] = [world.id(), world.id()]
  for (const block of [first, first, second, first]) {
    await world.include(event, 'fill', block)
    expect(await gas()).toBe(7n)
    await world.reorg(event, 'fill')
    expect(await gas()).toBe(0n)
  }
})

it('the gas of a transaction that failed, and whose block left before its payment was given up, was not spent', async () => {
  const event = await world.deposit()
  await world.signAndStore(await world.decide(event, 'fill'))
  await world.failAndLeave(event, 'fill')
  expect(await gas()).toBe(0n)
  await world.signAndStore(await world.ready(event, 'fill'))
  await world.include(event, 'fill')
  expect(await gas()).toBe(7n)
})
