import { beforeEach, describe, expect, it } from 'vitest'
import { Wallet } from 'xrpl'
import { closeTimeOf } from './closedLedger.js'
import { pay, TestedLedger, XRP } from './testedLedger.test.support.js'

let tested: TestedLedger
let alice: Wallet
let bob: Wallet

beforeEach(() => {
  tested = new TestedLedger()
  ;[alice, bob] = [tested.funded(), tested.funded()]
})

const set = (SetFlag: number) => ({ TransactionType: 'AccountSet', SetFlag })

describe('payments of XRP', () => {
  it('open an account that gets its reserve, and no other', () => {
    const fresh = Wallet.generate()
    expect(tested.result(alice, pay(fresh, `${XRP - 1n}`))).toBe('tecNO_DST_INSUF_XRP')
    const { meta, accounts } = tested.include(alice, pay(fresh, `${XRP}`))
    expect(meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: `${XRP}` })
    expect(accounts).toContain(fresh.classicAddress)
    expect(tested.root(fresh)).toMatchObject({ Balance: `${XRP}`, Sequence: tested.ledger.tip.height })
  })

  it('leave the reserve, which the fee may be paid from', () => {
    const poor = tested.funded(3n * XRP)
    expect(tested.result(poor, pay(bob, `${2n * XRP + 1n}`))).toBe('tecUNFUNDED_PAYMENT')
    expect(tested.result(poor, pay(bob, `${2n * XRP - 10n}`))).toBe('tesSUCCESS')
    expect(tested.drops(poor)).toBe(XRP - 10n + 0n)
  })

  it('need a tag where the destination asks for one', () => {
    tested.include(bob, set(1))
    expect(tested.result(alice, pay(bob, '1'))).toBe('tecDST_TAG_NEEDED')
    expect(tested.result(alice, pay(bob, '1', { DestinationTag: 0 }))).toBe('tesSUCCESS')
  })

  it('need leave of a destination that refuses deposits, but for the reserve of an empty one', () => {
    tested.include(bob, set(9))
    expect(tested.result(alice, pay(bob, '1'))).toBe('tecNO_PERMISSION')
    const allow = { TransactionType: 'DepositPreauth', Authorize: alice.classicAddress }
    expect(tested.result(bob, allow)).toBe('tesSUCCESS')
    expect(tested.result(bob, allow)).toBe('tecDUPLICATE')
    expect(tested.result(alice, pay(bob, '1'))).toBe('tesSUCCESS')
    expect(tested.result(bob, { TransactionType: 'DepositPreauth', Unauthorize: alice.classicAddress })).toBe(
      'tesSUCCESS',
    )
    expect(tested.result(alice, pay(bob, '1'))).toBe('tecNO_PERMISSION')
    const empty = tested.funded(XRP)
    tested.include(empty, set(9))
    expect(tested.result(alice, pay(empty, `${XRP}`))).toBe('tesSUCCESS')
  })

  it.each([
    ['temBAD_AMOUNT', { Amount: '0' }],
    ['temBAD_SEND_XRP_MAX', { SendMax: '2' }],
    ['temBAD_SEND_XRP_PARTIAL', { Flags: 0x20000 }],
    ['temBAD_AMOUNT', { DeliverMin: '1' }],
    ['temINVALID_FLAG', { Flags: 0x1 }],
  ])('are %s with %o', (code, more) => {
    expect(tested.send(alice, pay(bob, '1', more))).toBe(code)
  })

  it('go to another account than their own', () => {
    expect(tested.send(alice, pay(alice, '1'))).toBe('temREDUNDANT')
    expect(tested.send(alice, { TransactionType: 'OfferCreate', TakerGets: '1', TakerPays: '1' } as never)).toBe(
      'temUNKNOWN',
    )
  })
})

describe('what delivers XRP without being a payment', () => {
  it('an escrow, once its time has come', () => {
    const FinishAfter = closeTimeOf(tested.ledger.tip) + 100
    const number = tested.sequence(alice)
    const create = { TransactionType: 'EscrowCreate', Destination: bob.classicAddress, Amount: '5000000', FinishAfter }
    expect(tested.result(alice, create)).toBe('tesSUCCESS')
    expect(tested.root(alice)?.OwnerCount).toBe(1)
    const finish = { TransactionType: 'EscrowFinish', Owner: alice.classicAddress, OfferSequence: number }
    expect(tested.result(bob, finish)).toBe('tecNO_PERMISSION')
    tested.ledger.blocks.wind(101_000)
    tested.ledger.close()
    const before = tested.drops(bob)
    const { meta } = tested.include(bob, finish)
    expect(meta.TransactionResult).toBe('tesSUCCESS')
    expect(meta.delivered_amount).toBeUndefined()
    expect(tested.drops(bob)).toBe(before + 5n * XRP - 10n)
    expect(tested.result(bob, finish)).toBe('tecNO_TARGET')
  })

  it('a check, up to what it allows', () => {
    const create = { TransactionType: 'CheckCreate', Destination: bob.classicAddress, SendMax: '3000000' }
    const { meta } = tested.include(alice, create)
    const CheckID = String(
      meta.AffectedNodes.find((node) => node.CreatedNode?.LedgerEntryType === 'Check')?.CreatedNode?.LedgerIndex,
    )
    const cash = (more: object) => ({ TransactionType: 'CheckCash', CheckID, ...more })
    expect(tested.result(bob, cash({ Amount: '3000001' }))).toBe('tecPATH_PARTIAL')
    expect(tested.result(alice, cash({ Amount: '1' }))).toBe('tecNO_PERMISSION')
    expect(tested.include(bob, cash({ DeliverMin: '1' })).meta).toMatchObject({ delivered_amount: '3000000' })
    expect(tested.result(bob, cash({ Amount: '1' }))).toBe('tecNO_ENTRY')
    expect(tested.root(alice)?.OwnerCount).toBe(0)
  })

  it('an account that ends, when it is old enough and owns nothing that stays', () => {
    const end = { TransactionType: 'AccountDelete', Destination: bob.classicAddress, Fee: '200000' }
    expect(tested.send(alice, { ...end, Fee: '10' })).toBe('telINSUF_FEE_P')
    expect(tested.result(alice, end)).toBe('tecTOO_SOON')
    for (let made = 0; made < 256; made++) tested.ledger.close()
    tested.include(alice, { TransactionType: 'TicketCreate', TicketCount: 1 })
    const [left, before] = [tested.drops(alice) - 200_000n, tested.drops(bob)]
    expect(tested.include(alice, end).meta).toMatchObject({ delivered_amount: `${left}` })
    expect(tested.drops(bob)).toBe(before + left)
    expect(tested.root(alice)).toBeUndefined()
    expect(tested.send(alice, pay(bob, '1', { Sequence: 900 }))).toBe('terNO_ACCOUNT')
  })
})
