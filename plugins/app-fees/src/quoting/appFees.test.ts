import { type Currency, ServiceError } from '@causeway/core'
import { ONE_USD, type QuoteDraft, validator } from '@causeway/core/plugin'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppFeesBody, appFees, sharesOf } from './appFees.js'

const DOLLAR: Currency = {
  chainId: 8,
  address: `0x${'c2'.repeat(20)}`,
  symbol: 'USDC',
  name: 'USDC',
  decimals: 6,
  vmType: 'evm',
  groupId: 'usdc',
  metadata: { logoURI: '', verified: true, isNative: false },
}
const [ONE, TWO] = [`0x${'Aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
const BALANCES = { chainId: 8, address: DOLLAR.address }

type Fees = readonly { readonly recipient: string; readonly fee: string }[]

const extensionOf = (more: { readonly maximumBps?: number; readonly balanceCurrency?: null } = {}) =>
  appFees({ maximumBps: 9_999, directMinimum: ONE_USD / 40n, balanceCurrency: BALANCES, ...more })

/** What the quote plugin does with a body: the schema, the conditions, then the phase. */
const applied = (fees: unknown, extension = extensionOf()) => {
  const body = { appFees: fees as { recipient: string; fee: string }[] }
  validator(AppFeesBody, 'body')(body)
  const conditions = extension.conditions?.(body)
  // CAST: nothing is asked of a draft.
  const draft = {} as QuoteDraft
  void extension.apply(draft, body)
  const deposit = (amount: bigint) => ({ money: { currency: DOLLAR, amount }, price: ONE_USD, priceOf: () => ONE_USD })
  return { conditions, draft, extension, deposit }
}

describe('shares', () => {
  const fees = fc
    .array(fc.nat(2_000), { minLength: 1, maxLength: 4 })
    .map((list): Fees => list.map((bps) => ({ recipient: ONE, fee: String(bps) })))

  it('property: together they are their share rounded down, each within a unit of its own, and grow by no more than the amount', () => {
    fc.assert(
      fc.property(fees, fc.bigInt({ min: 0n, max: 2n ** 256n }), (list, amount) => {
        const shares = sharesOf([...list], amount)
        const total = shares.reduce((sum, share) => sum + share, 0n)
        const bps = list.reduce((sum, { fee }) => sum + BigInt(fee), 0n)
        expect(total).toBe((amount * bps) / 10_000n)
        list.forEach(({ fee }, at) => {
          const off = (shares[at] ?? -1n) * 10_000n - amount * BigInt(fee)
          expect(off > -10_000n && off < 10_000n).toBe(true)
        })
        const next = sharesOf([...list], amount + 1n).reduce((sum, share) => sum + share, 0n)
        expect(next - total === 0n || next - total === 1n).toBe(true)
      }),
    )
  })
})

describe('in a quote (wire.md D.7)', () => {
  it('each is a line of its own, owed to its recipient in lower case, with its basis points', () => {
    const { conditions, draft, extension, deposit } = applied([
      { recipient: ONE, fee: '100' },
      { recipient: TWO, fee: '0' },
      { recipient: ONE, fee: '50' },
    ])
    expect(conditions).toEqual({ usesBalances: true })
    const line = (owedTo: string, bps: string, amount: bigint) => ({
      ...{ bucket: 'app', payer: 'user', owedTo, bps },
      money: { currency: DOLLAR, amount },
    })
    const [one, two] = [ONE.toLowerCase(), TWO]
    expect(extension.amountFees?.(draft, deposit(1_000n))).toEqual([
      line(one, '100', 10n),
      line(two, '0', 0n),
      line(one, '50', 5n),
    ])
    expect(extension.features?.(draft)).toEqual(['app_fees'])
  })

  it('on a swap of the user alone only what is worth more than its floor, by recipient', () => {
    const { draft, extension, deposit } = applied([
      { recipient: ONE, fee: '2' },
      { recipient: TWO, fee: '2' },
      { recipient: ONE.toLowerCase(), fee: '1' },
    ])
    const taken = (amount: bigint) => extension.directFees?.(draft, deposit(amount)).map(({ bps }) => bps)
    expect(taken(83_333_333n)).toEqual([])
    expect(taken(83_340_000n)).toEqual(['2', '1'])
    expect(taken(125_000_000n)).toEqual(['2', '1'])
    expect(taken(125_010_000n)).toEqual(['2', '2', '1'])
  })

  it('without fees nothing is asked and nothing added', () => {
    for (const fees of [undefined, []]) {
      const { conditions, draft, extension, deposit } = applied(fees)
      expect(conditions).toBeNull()
      expect(extension.amountFees?.(draft, deposit(1_000n))).toEqual([])
      expect([extension.features?.(draft), extension.quoted?.(draft, {} as never)]).toEqual([[], {}])
    }
  })
})

describe('what is refused', () => {
  const refusal = (run: () => unknown): unknown => {
    try {
      return run()
    } catch (error) {
      return error
    }
  }

  it.each([
    { name: '100 % together', fees: ['5000', '4999', '1'], message: /less than 10000/ },
    {
      name: 'more than the operator allows',
      fees: ['90', '11'],
      maximumBps: 100,
      message: /100 basis points together at most/,
    },
    { name: 'a recipient that is nobody', fees: ['1'], recipient: `0x${'0'.repeat(40)}`, message: /zero address/ },
    { name: 'a recipient of another VM', fees: ['1'], recipient: 'bc1qxy', message: /must be an EVM address/ },
    { name: 'a sign', fees: ['+1'], message: /whole number of basis points/ },
    { name: 'a negative fee', fees: ['-1'], message: /whole number of basis points/ },
    { name: 'a fraction', fees: ['2.5'], message: /whole number of basis points/ },
    { name: 'an exponent', fees: ['1e2'], message: /whole number of basis points/ },
    { name: 'an empty text', fees: [''], message: /whole number of basis points/ },
    { name: '100 % alone', fees: ['10000'], message: /less than 10000|whole number/ },
    { name: 'a leading zero', fees: ['01'], message: /whole number of basis points/ },
    { name: 'Arabic digits', fees: ['٣'], message: /whole number of basis points/ },
  ])('$name', ({ fees, recipient = ONE, maximumBps = 9_999, message }) => {
    const list = fees.map((fee) => ({ recipient, fee }))
    const failure = refusal(() => applied(list, extensionOf({ maximumBps })))
    expect(failure).toBeInstanceOf(ServiceError)
    expect(failure).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(message) })
  })

  it('all of it where no balances are kept; just below 100 % is taken', () => {
    const failure = refusal(() => applied([{ recipient: ONE, fee: '1' }], extensionOf({ balanceCurrency: null })))
    expect(failure).toMatchObject({ message: 'body.appFees is not supported by this deployment' })
    expect(applied([{ recipient: ONE, fee: '9999' }]).conditions).toEqual({ usesBalances: true })
  })
})
