import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FEE_COMPONENTS, type FeeComponent } from '../../quote/feeSponsorship.js'
import { recordParts } from './buildRecord.js'
import {
  amountOf,
  CONTEXT,
  depositOf,
  factsWith,
  payoutOf,
  QUOTED,
  SOLVER,
  USDC_1,
} from './recordFixture.test.support.js'
import { recordSponsorship, recordSponsorshipJson, sponsorPayment } from './recordSponsorship.js'

const BALANCES = { chainId: 7, currency: '0xusd' }
const shown = (amount: bigint) => amountOf(1, USDC_1, 6, amount, '0.000000')
const zeros: Readonly<Record<FeeComponent, bigint>> = { execution: 0n, swap: 0n, platform: 0n, app: 0n, rent: 0n }
type Amounts = Partial<Record<FeeComponent, bigint>>
const sum = (amounts: Amounts) => Object.values(amounts).reduce((total, amount) => total + amount, 0n)

/** A quote of a service called `acme` whose sponsor pays so much of each component. */
const quotedOf = (sponsored: Amounts, userPays: Amounts) => {
  const component = (name: FeeComponent) => ({
    selected: name !== 'rent',
    total: shown((sponsored[name] ?? 0n) + (userPays[name] ?? 0n)),
    sponsored: shown(sponsored[name] ?? 0n),
    userPays: shown(userPays[name] ?? 0n),
  })
  const named = (name: FeeComponent) => (name === 'platform' ? 'acme' : name)
  const quoted = {
    selectedComponents: ['execution', 'swap', 'acme', 'app'],
    subsidizationBps: 5_000,
    capHit: false,
    components: Object.fromEntries(FEE_COMPONENTS.map((name) => [named(name), component(name)])),
    sponsoredTotal: shown(sum(sponsored)),
    userPaysTotal: shown(sum(userPays)),
  }
  return { ...QUOTED, feeSponsorship: { quoted } }
}

const sponsorship = { wallet: SOLVER, ...BALANCES, amount: 40_000n, fees: 40_000n, rateCost: 0n }
const terms = { ...factsWith().terms, sponsorship }
const paid = (fees: bigint, amount = fees) => ({
  sponsorship: { holder: SOLVER, ...BALANCES, fees: `${fees}`, amount: `${amount}`, rateCost: '0' },
})
const partsOf = (more: Parameters<typeof factsWith>[0]) => recordParts(factsWith({ terms, ...more }), CONTEXT)

describe('feeSponsorship of a record (wire.md 1.5, 3.1)', () => {
  const quoted = quotedOf({ execution: 30_000n, platform: 10_000n }, { platform: 10_000n })

  it('is null where nothing is sponsored, and has no actual before the fill', () => {
    expect(recordSponsorship(partsOf({ terms: factsWith().terms, quoted }))).toBeNull()
    expect(recordSponsorship(partsOf({ quoted: QUOTED }))).toBeNull()
    expect(recordSponsorship(partsOf({ quoted }))?.actual).toBeNull()
    expect(sponsorPayment({ terms }, null)).toEqual({ amount: '40000', address: '0xusd', chainId: 7 })
  })

  it('calls the platform fee so, whatever the service was called, and hoists the currency', () => {
    const made = recordSponsorship(partsOf({ quoted }))
    expect(made === null ? null : recordSponsorshipJson(made)).toEqual({
      quoted: {
        selectedComponents: ['execution', 'swap', 'platform', 'app'],
        maxSubsidizationAmount: null,
        subsidizationBps: 5_000,
        capHit: false,
        components: expect.objectContaining({
          platform: {
            selected: true,
            total: { amount: '20000', amountFormatted: '0.02', amountUsd: '0.000000', minimumAmount: '20000' },
            sponsored: expect.objectContaining({ amount: '10000' }),
            userPays: expect.objectContaining({ amount: '10000' }),
          },
        }),
        sponsoredTotal: expect.objectContaining({ amount: '40000' }),
        userPaysTotal: expect.objectContaining({ amount: '10000' }),
      },
      actual: null,
      currency: shown(0n).currency,
    })
  })

  it('of a fill tells what was charged and paid; what a rate gained is no fee', () => {
    const gain = { list: [{ kind: 'rate', fromDeposit: '7000' }] }
    const fill = payoutOf({ fees: 12_000n, data: { ...paid(20_000n, 20_003n), earnings: gain } })
    const made = recordSponsorship(partsOf({ quoted, status: 'success', deposits: [depositOf()], payouts: [fill] }))
    expect(made?.actual).toMatchObject({
      sponsorPayment: { amount: '20003', address: '0xusd', chainId: 7 },
      sponsoredTotal: { amount: '20000', amountUsd: '0.020000' },
      userPaysTotal: { amount: '5000' },
      components: { execution: { sponsored: { amount: '15000' } }, platform: { total: { amount: '10000' } } },
    })
  })

  it('of a fill that its sponsor paid nothing for says zero, and where it was refunded nothing', () => {
    const filled = partsOf({ quoted, status: 'success', deposits: [depositOf()], payouts: [payoutOf()] })
    expect(recordSponsorship(filled)?.actual).toMatchObject({
      sponsorPayment: { amount: '0' },
      sponsoredTotal: { amount: '0' },
    })
    const refunded = partsOf({
      quoted,
      status: 'refund',
      deposits: [depositOf()],
      payouts: [payoutOf({ purpose: 'refund' })],
    })
    expect(recordSponsorship(refunded)?.actual).toBeNull()
  })

  it('has sums that are exact, whatever was charged', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 20n })
    const amounts = fc.record({ execution: amount, swap: amount, platform: amount, app: amount }, { requiredKeys: [] })
    fc.assert(
      fc.property(amounts, amounts, amount, amount, (sponsored, userPays, fees, charged) => {
        const fill = payoutOf({ fees: charged, data: paid(fees) })
        const more = { quoted: quotedOf({ ...zeros, ...sponsored }, userPays), status: 'success' as const }
        const made = recordSponsorship(partsOf({ ...more, deposits: [depositOf()], payouts: [fill] }))
        const of = (name: FeeComponent, part: 'total' | 'sponsored' | 'userPays') =>
          BigInt(made?.actual?.components[name][part].amount ?? -1n)
        for (const name of FEE_COMPONENTS) expect(of(name, 'total')).toBe(of(name, 'sponsored') + of(name, 'userPays'))
        const all = (part: 'sponsored' | 'userPays') =>
          FEE_COMPONENTS.reduce((total, name) => total + of(name, part), 0n)
        expect([all('sponsored'), all('userPays')]).toEqual([fees, charged])
      }),
    )
  })
})
