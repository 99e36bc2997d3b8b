import { ServiceError } from '@causeway/core'
import type { ChainAdapter, SignedDeposits } from '@causeway/core/chain'
import { type Alteration, adapterWith, conformanceCases, harnessWith, laneWith } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrokenAdapter, type ConformanceWorld, startConformanceWorld } from './conformanceWorld.test.support.js'

let world: ConformanceWorld

beforeAll(async () => {
  world = await startConformanceWorld(31_199)
})
afterAll(() => world?.close())

/** The capability, bound, with one member changed. */
const depositsWith = (change: (real: SignedDeposits) => Partial<SignedDeposits>): Alteration =>
  adapterWith(({ signedDeposits: real }: ChainAdapter) => {
    if (real === undefined) throw new Error('Every adapter of this world takes signed deposits.')
    const whole: SignedDeposits = {
      kindOf: (...args) => real.kindOf(...args),
      supported: (...args) => real.supported(...args),
      form: (...args) => real.form(...args),
      approvals: (...args) => real.approvals(...args),
      check: (...args) => real.check(...args),
      fee: (...args) => real.fee(...args),
    }
    return { signedDeposits: { ...whole, ...change(whole) } }
  })

const forgiving = (forgives: (message: string) => boolean): Alteration =>
  depositsWith((real) => ({
    check: async (form, signature, options) => {
      try {
        return await real.check(form, signature, options)
      } catch (error) {
        if (ServiceError.is(error) && forgives(error.message)) return `0x${signature.slice(2).toLowerCase()}`
        throw error
      }
    },
  }))

const mutants: readonly BrokenAdapter[] = [
  {
    wrong: 'takes the signature of anybody',
    rule: 'permit-bound',
    says: 'takes the signature of a stranger',
    wrap: forgiving((message) => message.includes('is not that of')),
  },
  {
    wrong: 'does not compare what was signed with the order',
    rule: 'permit-bound',
    says: 'takes what was signed for another order than its terms are of',
    wrap: forgiving((message) => message.includes('is not the deposit of this order')),
  },
  {
    wrong: 'takes what has expired',
    rule: 'permit-bound',
    says: 'takes a signature that has expired',
    wrap: forgiving((message) => message.includes('has expired')),
  },
  {
    wrong: 'refuses with another code',
    rule: 'permit-bound',
    says: 'takes the signature of a stranger',
    wrap: depositsWith((real) => ({
      check: (form, signature, options) =>
        real.check(form, signature, options).catch(() => {
          throw new ServiceError('SERVICE_UNAVAILABLE', 'No.')
        }),
    })),
  },
  {
    wrong: 'brings it in under another order',
    rule: 'permit-paid',
    says: 'simulation of a signed deposit says The token refuses what was signed',
    wrap: depositsWith((real) => ({
      form: async (terms) => {
        const other = await real.form({ ...terms, orderId: `0x${'77'.repeat(32)}` })
        return { ...other, terms: { ...other.terms, orderId: terms.orderId } }
      },
      check: async (_form, signature) => `0x${signature.slice(2)}`,
    })),
  },
  {
    wrong: 'books what is brought in as taken of the lane',
    rule: 'permit-paid',
    says: 'costs the lane its fee, and nothing of the currency',
    wrap: laneWith((real) => ({
      states: async (attempts) => (await real.states(attempts)).map((state) => ({ ...state, currencyFee: 5n })),
    })),
  },
  {
    wrong: 'keeps no guard of what was signed',
    rule: 'permit-paid',
    says: 'what was signed is no guard of its payout',
    wrap: laneWith((real) => ({
      prepare: async (payouts, position) => {
        const made = await real.prepare(payouts, position)
        const bare = (guards: readonly string[]) => guards.filter((guard) => !guard.startsWith('request:'))
        return {
          ...made,
          prepared: made.prepared.map((item) => (item === null ? null : { ...item, guards: bare(item.guards) })),
        }
      },
    })),
  },
  {
    wrong: 'makes a guard of its own for each payout of one signature',
    rule: 'permit-once',
    says: 'two payouts could hold what was signed once',
    wrap: laneWith((real) => ({
      prepare: async (payouts, position) => {
        const made = await real.prepare(payouts, position)
        const own = (guards: readonly string[]) =>
          guards.map((guard) => (guard.startsWith('request:') ? `${guard}${guards[0]?.slice(-1)}` : guard))
        return {
          ...made,
          prepared: made.prepared.map((item) => (item === null ? null : { ...item, guards: own(item.guards) })),
        }
      },
    })),
  },
  {
    wrong: 'simulates what was used before',
    rule: 'permit-once',
    says: 'simulates what was signed a second time',
    wrap: adapterWith((real) => ({
      simulate: async (payout) => {
        const simulation = await real.simulate(payout)
        return simulation.ok ? simulation : { ok: true, gas: 300_000n, block: simulation.block ?? 0n }
      },
    })),
  },
  {
    wrong: 'reads what it sent for users back as fills',
    rule: 'permit-found',
    says: 'the lane reads it back as fill',
    wrap: laneWith((real) => ({
      read: async (address, stored) => {
        const reading = await real.read(address, stored)
        return { ...reading, unknown: reading.unknown.map((item) => ({ ...item, purpose: 'fill' as const })) }
      },
    })),
  },
]

describe('the kit notices an adapter that', () => {
  it.each(mutants)('$wrong: $rule', async ({ rule, says, wrap }) => {
    const cases = conformanceCases(harnessWith({ ...world.harness, patienceSeconds: 20 }, wrap))
    await expect(cases.find(({ id }) => id === rule)?.run()).rejects.toThrow(says)
  })

  it('and none of an adapter without signed deposits is asked', () => {
    // CAST: as if the member were absent.
    const without = adapterWith(() => ({ signedDeposits: undefined as never }))
    const cases = conformanceCases(harnessWith(world.harness, without)).filter(({ id }) => id.startsWith('permit-'))
    expect(cases.map(({ exemption }) => exemption)).toEqual(Array(4).fill('the adapter has no signedDeposits'))
  })
})
