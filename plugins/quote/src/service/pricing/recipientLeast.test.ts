import type { CurrencyRegistry } from '@causeway/core'
import type { Payout, Simulation } from '@causeway/core/chain'
import { describe, expect, it } from 'vitest'
import { receivedOf, withLeast } from './recipientLeast.js'

const received = { currency: 'drops', amount: 50n }
// CAST: the one member that is asked.
const context = { chainId: 7, currencies: { find: () => undefined } as unknown as CurrencyRegistry }
const bounded = (simulation: Simulation, least?: bigint): Simulation =>
  withLeast(simulation, { received, status: { canReceive: true, ...(least === undefined ? {} : { least }) } }, context)

const exact: Simulation = { ok: true, gas: 1n, block: 1n }
const general: Simulation = { ...exact, leastAmount: 20n }

describe('a simulation where recipients take no less than some amount', () => {
  it('stands for no amount below it, nor below its own', () => {
    expect(bounded(general, 30n)).toEqual({ ...general, leastAmount: 30n })
    expect(bounded(general, 10n)).toEqual(general)
    expect(bounded(general)).toEqual(general)
    expect(bounded(exact, 30n)).toEqual(exact)
  })

  it('is refused below it, however it went, and at it not', () => {
    expect(bounded(exact, 51n)).toMatchObject({ ok: false, leastAmount: 51n })
    expect(bounded(exact, 50n)).toEqual(exact)
  })

  it('is refused where the account cannot receive at all, and then says no least amount', () => {
    const refused = withLeast(exact, { received, status: { canReceive: false, why: 'No account.' } }, context)
    expect(refused).toEqual({ ok: false, kind: 'recipient-cannot-receive', message: 'No account.' })
  })

  it('is about what arrives: the least that a swap gives, and nothing where calls have the money', () => {
    const money = { currency: 'a', amount: 1n }
    const swap = { offer: { to: 'b' }, minimumOut: 9n }
    // CAST: what is read of a payout.
    const of = (more: object) => receivedOf({ money, calls: [], ...more } as unknown as Payout)
    expect(of({})).toEqual(money)
    expect(of({ swap })).toEqual({ currency: 'b', amount: 9n })
    expect(of({ calls: [{}] })).toBeNull()
  })
})
