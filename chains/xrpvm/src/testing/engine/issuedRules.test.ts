import { beforeEach, describe, expect, it } from 'vitest'
import { getBalanceChanges, type TransactionMetadata, type Wallet } from 'xrpl'
import { pay, TestedLedger, trust, usd, XRP } from './testedLedger.test.support.js'

let tested: TestedLedger
let issuer: Wallet
let alice: Wallet
let bob: Wallet

const PARTIAL = 0x20000
const set = (more: object) => ({ TransactionType: 'AccountSet', ...more })

beforeEach(() => {
  tested = new TestedLedger()
  ;[issuer, alice, bob] = [tested.funded(), tested.funded(), tested.funded()]
  tested.include(issuer, set({ SetFlag: 8 }))
  for (const holder of [alice, bob]) tested.include(holder, trust(issuer, '1000'))
  tested.include(issuer, pay(alice, usd(issuer, '500')))
})

const changesOf = (found: ReturnType<TestedLedger['include']>) =>
  // CAST: the metadata have the shape of rippled's.
  Object.fromEntries(
    getBalanceChanges(found.meta as unknown as TransactionMetadata).map(({ account, balances }) => [
      account,
      balances.flatMap(({ currency, value }) => (currency === 'USD' ? [value] : [])).sort(),
    ]),
  )

describe('payments of issued currencies', () => {
  it('go from the issuer, between holders, and back to the issuer', () => {
    const found = tested.include(alice, pay(bob, usd(issuer, '120.5')))
    expect(found.meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: usd(issuer, '120.5') })
    expect(changesOf(found)).toMatchObject({
      [alice.classicAddress]: ['-120.5'],
      [bob.classicAddress]: ['120.5'],
      [issuer.classicAddress]: ['-120.5', '120.5'],
    })
    expect(new Set(found.accounts)).toEqual(new Set([alice, bob, issuer].map(({ classicAddress }) => classicAddress)))
    expect(tested.result(bob, pay(issuer, usd(issuer, '20.5')))).toBe('tesSUCCESS')
    expect([tested.dollars(alice, issuer), tested.dollars(bob, issuer)]).toEqual(['379.5', '100'])
  })

  it('need a line, room on it, and something to send', () => {
    const carol = tested.funded()
    expect(tested.result(alice, pay(carol, usd(issuer, '1')))).toBe('tecPATH_DRY')
    expect(tested.result(carol, pay(alice, usd(issuer, '1')))).toBe('tecPATH_DRY')
    expect(tested.result(bob, pay(alice, usd(issuer, '1')))).toBe('tecPATH_DRY')
    expect(tested.result(alice, pay(bob, usd(issuer, '501')))).toBe('tecPATH_PARTIAL')
    expect(tested.result(issuer, pay(alice, usd(issuer, '501')))).toBe('tecPATH_PARTIAL')
    expect(tested.result(alice, pay('rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', usd(issuer, '1')))).toBe('tecNO_DST')
    expect(tested.result(alice, pay(bob, usd(issuer, '1'), { SendMax: '1000000' }))).toBe('tecPATH_DRY')
  })

  it('deliver less only where they say so, and not less than they say', () => {
    tested.include(bob, trust(issuer, '30'))
    const partial = (more = {}) => pay(bob, usd(issuer, '100'), { Flags: PARTIAL, ...more })
    expect(tested.result(alice, partial({ DeliverMin: usd(issuer, '31') }))).toBe('tecPATH_PARTIAL')
    expect(tested.send(alice, partial({ DeliverMin: usd(issuer, '101') }))).toBe('temBAD_AMOUNT')
    const { meta } = tested.include(alice, partial({ DeliverMin: usd(issuer, '30') }))
    expect(meta.delivered_amount).toEqual(usd(issuer, '30'))
    expect(tested.result(alice, partial())).toBe('tecPATH_DRY')
    expect(tested.dollars(alice, issuer)).toBe('470')
  })

  it('cost the issuer’s rate between holders, on top of the amount', () => {
    expect(tested.send(issuer, set({ TransferRate: 999_999_999 }))).toBe('temBAD_TRANSFER_RATE')
    tested.include(issuer, set({ TransferRate: 1_002_000_000 }))
    expect(tested.result(alice, pay(bob, usd(issuer, '100')))).toBe('tecPATH_PARTIAL')
    expect(tested.result(alice, pay(bob, usd(issuer, '100'), { SendMax: usd(issuer, '100.2') }))).toBe('tesSUCCESS')
    expect([tested.dollars(alice, issuer), tested.dollars(bob, issuer)]).toEqual(['399.8', '100'])
    const { meta } = tested.include(alice, pay(bob, usd(issuer, '100'), { Flags: PARTIAL }))
    expect(meta.delivered_amount).toEqual(usd(issuer, '99.8003992015968'))
    expect(tested.result(bob, pay(issuer, usd(issuer, '100')))).toBe('tesSUCCESS')
    tested.include(issuer, set({ TransferRate: 0 }))
    expect(tested.result(alice, pay(bob, usd(issuer, '1')))).toBe('tesSUCCESS')
  })

  it('a frozen holder pays nobody but the issuer, and still receives', () => {
    tested.include(issuer, trust(alice, '0', { LimitAmount: usd(alice, '0'), Flags: 0x100000 }))
    expect(tested.result(alice, pay(bob, usd(issuer, '1')))).toBe('tecPATH_DRY')
    expect(tested.result(alice, pay(issuer, usd(issuer, '1')))).toBe('tesSUCCESS')
    expect(tested.result(issuer, pay(alice, usd(issuer, '1')))).toBe('tesSUCCESS')
    tested.include(issuer, trust(alice, '0', { LimitAmount: usd(alice, '0'), Flags: 0x200000 }))
    expect(tested.result(alice, pay(bob, usd(issuer, '1')))).toBe('tesSUCCESS')
    tested.include(issuer, set({ SetFlag: 7 }))
    expect(tested.result(alice, pay(bob, usd(issuer, '1')))).toBe('tecPATH_DRY')
    tested.include(issuer, set({ ClearFlag: 7 }))
    expect(tested.result(alice, pay(bob, usd(issuer, '1')))).toBe('tesSUCCESS')
  })

  it('do not ripple over an issuer that does not want it', () => {
    const plain = tested.funded()
    for (const holder of [alice, bob]) tested.include(holder, trust(plain, '10'))
    expect(tested.result(plain, pay(alice, usd(plain, '5')))).toBe('tesSUCCESS')
    expect(tested.result(alice, pay(bob, usd(plain, '1')))).toBe('tecPATH_DRY')
  })

  it('need leave where the issuer asks for it, and where the receiver does', () => {
    const strict = tested.funded()
    tested.include(strict, set({ SetFlag: 2 }))
    tested.include(alice, trust(strict, '10'))
    expect(tested.result(strict, pay(alice, usd(strict, '5')))).toBe('tecPATH_DRY')
    tested.include(strict, trust(alice, '0', { LimitAmount: usd(alice, '0'), Flags: 0x10000 }))
    expect(tested.result(strict, pay(alice, usd(strict, '5')))).toBe('tesSUCCESS')
    tested.include(bob, set({ SetFlag: 9 }))
    expect(tested.result(alice, pay(bob, usd(issuer, '1')))).toBe('tecNO_PERMISSION')
  })
})

describe('trust lines', () => {
  it('keep a reserve while they are of use, and are gone when neither side needs them', () => {
    expect(tested.root(alice)?.OwnerCount).toBe(1)
    tested.include(alice, trust(issuer, '0', { Flags: 0x20000 }))
    expect(tested.dollars(alice, issuer)).toBe('500')
    const { meta } = tested.include(alice, pay(issuer, usd(issuer, '500')))
    expect(meta.AffectedNodes.some((node) => node.DeletedNode?.LedgerEntryType === 'RippleState')).toBe(true)
    expect(tested.dollars(alice, issuer)).toBeNull()
    expect(tested.root(alice)?.OwnerCount).toBe(0)
  })

  it('need a reserve from the third object on', () => {
    const poor = tested.funded(XRP + 100n)
    const issuers = [issuer, tested.funded(), tested.funded()]
    expect(issuers.map((one) => tested.result(poor, trust(one, '1')))).toEqual([
      ...['tesSUCCESS', 'tesSUCCESS', 'tecNO_LINE_INSUF_RESERVE'],
    ])
  })

  it('are between two accounts that exist, of a currency that is not XRP', () => {
    expect(tested.send(alice, trust(alice, '1'))).toBe('temDST_IS_SRC')
    const nobody = { classicAddress: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe' } as Wallet
    expect(tested.result(alice, trust(nobody, '1'))).toBe('tecNO_DST')
    expect(tested.result(tested.funded(), trust(issuer, '0'))).toBe('tecNO_LINE_REDUNDANT')
    expect(tested.send(alice, trust(issuer, '-1'))).toBe('temBAD_LIMIT')
  })
})
