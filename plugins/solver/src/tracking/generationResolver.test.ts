import type { PayoutVerdict } from '@causeway/core/chain'
import type { StoredPayout } from '@causeway/core/money-path'
import type { Lease } from '@causeway/core/plugin'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { FillRefunds } from '../deciding/fillRefunds.js'
import type { LaneContext } from '../laneContext.js'
import { ForeignSpend, ReadAgain } from '../running/foreignSpend.js'
import { GenerationResolver } from './generationResolver.js'

const HEIGHT = 100n
const lease: Lease = { name: 'lane', epoch: 1n, signal: new AbortController().signal }

/** The database refuses the record of a death. */
const resolverOf = () => {
  const payoutVerdict = async (): Promise<PayoutVerdict> => 'dead'
  const config = { id: 7, rpc: [], confirmations: { fill: 1, settle: 12 } }
  const adapter = {
    capabilities: { bump: 'replace' },
    native: { address: 'coin' },
    lane: { payoutVerdict, readAgain: async () => undefined },
  }
  const lane = {
    chain: { config, adapter },
    chains: { get: () => ({ config }) },
    currencies: { find: () => undefined },
    observer: { payouts: () => undefined },
    clock: { now: () => 0 },
    options: { maxGenerations: 3 },
    log: pino({ level: 'silent' }),
    pool: {
      connect: async () => {
        throw new Error('The death is recorded.')
      },
    },
  }
  const again = new ReadAgain()
  // CAST: a resolver reads no other member of its lane.
  const context = lane as unknown as LaneContext
  return { resolver: new GenerationResolver({ lane: context, refunds: new FillRefunds(context), again }), again }
}

it('F121: a generation whose guard was spent by an unknown transaction is dead only after the lane was read again', async () => {
  const { resolver, again } = resolverOf()
  const live = [{ txId: '0xa0', kind: 'pay', state: 'broadcast', guards: ['1'] }]
  const order = { purpose: 'fill', orderId: '0x01', chainId: 7, signer: '0x5e', currency: 'coin' }
  const counts = { amount: 1n, fees: 0n, generation: 0, inclusions: 0 }
  // CAST: a resolver reads no other member of a payout.
  const payout = {
    ...{ ...order, ...counts, id: '1', recipient: { address: 'r' }, data: {}, deposit: null, address: null, live },
  } as unknown as StoredPayout
  const prove = () => resolver.prove(lease, payout, HEIGHT, [])
  await expect(prove()).rejects.toBeInstanceOf(ForeignSpend)
  again.add(payout)
  await expect(prove()).rejects.toThrow('The death is recorded.')
})
