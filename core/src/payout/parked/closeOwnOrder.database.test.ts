import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Hex } from '../../money/hex.js'
import { DESTINATION, GroundWorld, NOW } from '../groundWorld.test.support.js'
import { importTransactions } from '../lane/laneJournal.js'
import { closeAsPaid } from './closeAsPaid.js'

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

/** The lane of the destination finds what paid an order in a time that this database forgot. */
const findPayment = async (orderId: Hex): Promise<string> => {
  const id = world.id()
  const money = { currency: 'coin', amount: 950n }
  const found = { tx: { id }, guards: [`nonce:${id}`], orderId, purpose: null, to: 'recipient', money, block: null }
  await world.commit((client) =>
    importTransactions(client, { chainId: DESTINATION, signer: '0x5e' }, [{ ...found, status: 'success' }], NOW),
  )
  return id
}

it('F120: the fill of an order closes the deposit that has the order, and no stray one that bears its id', async () => {
  const orderId = world.id()
  const stray = world.event(orderId, 1_000n)
  await world.see(stray)
  await world.quote({ orderId })
  const txId = await findPayment(orderId)
  const close = async (depositId: string) => world.commit((client) => closeAsPaid(client, { depositId, txId }, NOW))
  const strayId = await world.depositId(stray)
  await expect(close(strayId)).rejects.toThrow(/not that of deposit \d+ but of the deposit that its quote waits for/)
  const own = world.event(orderId, 1_000n)
  await world.see(own)
  await expect(close(strayId)).rejects.toThrow(
    /is not that of deposit \d+ but of deposit \d+: its fill closes that one/,
  )
})
