import type { AccountSumsAt, KeptSums } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NATIVE, xAddressOf } from '../address/addresses.js'
import { CHAIN_ID, type LedgerWorld, newAddress, openLedgerWorld, XRP } from '../ledgerWorld.test.support.js'

const PAYMENTS = 100_000
/** To make them takes longest. */
const TIME_LIMIT_MS = 900_000
const IN_A_LEDGER = 2_000
const TAG = 7

let world: LedgerWorld
beforeAll(async () => {
  world = await openLedgerWorld()
})
afterAll(() => world?.chain.close())

/** Keeps what is saved first, as the database does. */
const keeper = (): KeptSums => {
  let stored: AccountSumsAt | null = null
  return {
    load: async () => stored,
    save: async (_, account, changed, after) => {
      if (account === '' || after !== null) return false
      stored = changed
      return true
    },
  }
}

const timed = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
  const since = performance.now()
  return [await work(), performance.now() - since]
}

it(
  'F155: 100,000 payments of one drop shut no lane, and a start reads what came since the one before',
  async () => {
    const account = newAddress()
    await world.fund(account, 100n * XRP)
    const keptSums = keeper()
    const open = () => world.adapterOver({ depositAccount: account }, undefined, { keptSums })
    const { position } = await open().lane.read(world.solver, null)
    const sinceHeight = BigInt(await world.chain.height())
    const to = { TransactionType: 'Payment', Account: world.user, Destination: account } as const
    await world.apply({ ...to, DestinationTag: TAG, Amount: '500' })
    for (let sent = 0; sent < PAYMENTS; sent += IN_A_LEDGER) {
      const some = Array.from({ length: IN_A_LEDGER }, (_, at) => ({
        ...to,
        DestinationTag: 1_000 + sent + at,
        Amount: '1',
      }))
      await world.apply(...some)
    }
    // The account used a number of its own, so that the lane cannot know without reading.
    await world.apply({ TransactionType: 'AccountSet', Account: account })
    const [reading, opening] = await timed(() => open().lane.read(world.solver, { position, sinceHeight }))
    expect(reading).toMatchObject({ complete: true, unknown: [] })
    const address = { orderId: '0x00', depositor: '', derivation: null } as const
    const destination = { address: xAddressOf(account, TAG, CHAIN_ID) }
    const holdings = () => open().depositAddresses?.holdings([{ ...address, destination }], [NATIVE])
    const [first, before] = await timed(async () => holdings())
    const asked = (await world.chain.counts()).account_tx ?? 0
    const [second, after] = await timed(async () => holdings())
    expect([first, second]).toEqual([[[{ currency: NATIVE, amount: 500n }]], [[{ currency: NATIVE, amount: 500n }]]])
    expect(((await world.chain.counts()).account_tx ?? 0) - asked).toBeLessThanOrEqual(1)
    process.stdout.write(
      `${PAYMENTS} payments: the lane opens in ${Math.round(opening)} ms; the sums are read in ${Math.round(before)} ms, at the next start in ${Math.round(after)} ms\n`,
    )
  },
  TIME_LIMIT_MS,
)
