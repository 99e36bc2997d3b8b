import { decode, encode } from 'ripple-binary-codec'
import { beforeEach, describe, expect, it } from 'vitest'
import { ECDSA, Wallet } from 'xrpl'
import { pay, TestedLedger, XRP } from './testedLedger.test.support.js'

let tested: TestedLedger
let alice: Wallet
let bob: Wallet

beforeEach(() => {
  tested = new TestedLedger()
  ;[alice, bob] = [tested.funded(), tested.funded()]
})

const payment = (more = {}) => pay(bob, '1', more)

describe('what a server takes in', () => {
  it('is signed by the account, with either kind of key', () => {
    const other = Wallet.generate(ECDSA.secp256k1)
    tested.give(other.classicAddress, 10n * XRP)
    expect(tested.send(alice, payment())).toBe('tesSUCCESS')
    expect(tested.send(other, payment())).toBe('tesSUCCESS')
    expect(tested.send(alice, payment(), bob)).toBe('tefBAD_AUTH')
  })

  it('is as it was signed, and canonical', () => {
    const { tx_blob } = tested.sign(alice, payment())
    expect(tested.submit(encode({ ...decode(tx_blob), Amount: '2' }))).toContain('Invalid signature')
    expect(tested.submit(`${tx_blob}00`)).toContain('Invalid parameters')
    expect(tested.submit('00')).toContain('Invalid parameters')
    expect(tested.submit(tx_blob.toLowerCase())).toBe('tesSUCCESS')
    expect(tested.submit(tx_blob)).toBe('tefALREADY')
    tested.ledger.close()
    expect(tested.submit(tx_blob)).toBe('tefALREADY')
  })

  it('names a network above 1024, and only such a one', () => {
    expect(tested.send(alice, payment({ NetworkID: undefined }))).toBe('telREQUIRES_NETWORK_ID')
    expect(tested.send(alice, payment({ NetworkID: 71_010 }))).toBe('telWRONG_NETWORK')
    tested = new TestedLedger(0)
    ;[alice, bob] = [tested.funded(), tested.funded()]
    expect(tested.send(alice, payment({ NetworkID: 0 }))).toBe('telNETWORK_ID_MAKES_TX_NON_CANONICAL')
    expect(tested.send(alice, payment())).toBe('tesSUCCESS')
  })

  it('has memos of a kilobyte at most', () => {
    const memos = (bytes: number) => [{ Memo: { MemoData: 'AB'.repeat(bytes) } }]
    expect(tested.send(alice, payment({ Memos: memos(1000) }))).toBe('tesSUCCESS')
    expect(tested.send(alice, payment({ Memos: memos(1030) }))).toContain('The memo exceeds the maximum allowed size')
  })

  it('pays the fee that the load asks for, and has it', () => {
    tested.ledger.settings.load = 3
    expect(tested.send(alice, payment({ Fee: '29' }))).toBe('telINSUF_FEE_P')
    expect(tested.send(alice, payment({ Fee: '30' }))).toBe('tesSUCCESS')
    expect(tested.send(alice, payment({ Fee: `${2000n * XRP}` }))).toBe('terINSUF_FEE_B')
    expect(tested.send(Wallet.generate(), payment())).toBe('terNO_ACCOUNT')
  })

  it('is not late', () => {
    const { height: number } = tested.ledger.tip
    expect(tested.send(alice, payment({ LastLedgerSequence: number }))).toBe('tefMAX_LEDGER')
    expect(tested.send(alice, payment({ LastLedgerSequence: number + 1 }))).toBe('tesSUCCESS')
  })
})

describe('keys', () => {
  it('a regular key signs too, and alone once the master key is disabled', () => {
    const key = Wallet.generate()
    const disable = { TransactionType: 'AccountSet', SetFlag: 4 }
    expect(tested.result(alice, disable)).toBe('tecNO_ALTERNATIVE_KEY')
    expect(tested.result(alice, { TransactionType: 'SetRegularKey', RegularKey: key.classicAddress })).toBe(
      'tesSUCCESS',
    )
    expect(tested.result(alice, payment(), key)).toBe('tesSUCCESS')
    expect(tested.result(alice, disable, key)).toBe('tecNEED_MASTER_KEY')
    expect(tested.result(alice, disable)).toBe('tesSUCCESS')
    expect(tested.send(alice, payment())).toBe('tefMASTER_DISABLED')
    expect(tested.result(alice, { TransactionType: 'SetRegularKey' }, key)).toBe('tecNO_ALTERNATIVE_KEY')
    expect(tested.result(alice, { TransactionType: 'AccountSet', ClearFlag: 4 }, key)).toBe('tesSUCCESS')
    expect(tested.result(alice, { TransactionType: 'SetRegularKey' })).toBe('tesSUCCESS')
    expect(tested.send(alice, payment(), key)).toBe('tefBAD_AUTH')
  })
})

describe('numbers', () => {
  it('one that is used is past, one that comes early waits for those before it', () => {
    const first = tested.sequence(alice)
    expect(tested.send(alice, payment({ Sequence: first + 2 }))).toBe('terPRE_SEQ')
    expect(tested.send(alice, payment({ Sequence: first + 1 }))).toBe('terPRE_SEQ')
    expect(tested.send(alice, payment({ Sequence: first }))).toBe('tesSUCCESS')
    expect(tested.sequence(alice)).toBe(first + 3)
    expect(tested.send(alice, payment({ Sequence: first, Fee: '20' }))).toBe('tefPAST_SEQ')
    expect(tested.ledger.close().transactions).toHaveLength(3)
  })

  it('what comes early is forgotten after its last ledger, and ten of an account at most are kept', () => {
    const first = tested.sequence(alice)
    const LastLedgerSequence = tested.ledger.tip.height + 1
    expect(tested.send(alice, payment({ Sequence: first + 1, LastLedgerSequence }))).toBe('terPRE_SEQ')
    tested.ledger.close()
    expect(tested.ledger.open.early).toHaveLength(0)
    for (let at = 1; at <= 12; at++) tested.send(alice, payment({ Sequence: first + at }))
    expect(tested.ledger.open.early).toHaveLength(10)
  })

  it('a ticket is used once, in any order, and keeps a reserve until then', () => {
    const first = tested.sequence(alice)
    const used = (TicketSequence: number) => payment({ Sequence: 0, TicketSequence })
    expect(tested.send(alice, used(first + 1))).toBe('terPRE_TICKET')
    expect(tested.result(alice, { TransactionType: 'TicketCreate', TicketCount: 3 })).toBe('tesSUCCESS')
    expect(tested.root(alice)).toMatchObject({ Sequence: first + 4, OwnerCount: 3, TicketCount: 3 })
    expect(tested.result(alice, used(first + 3))).toBe('tesSUCCESS')
    expect(tested.result(alice, used(first + 1))).toBe('tesSUCCESS')
    expect(tested.send(alice, { ...used(first + 1), Fee: '11' })).toBe('tefNO_TICKET')
    expect(tested.send(alice, payment({ Sequence: 5, TicketSequence: first + 2 }))).toBe('temSEQ_AND_TICKET')
    expect(tested.root(alice)).toMatchObject({ Sequence: first + 4, OwnerCount: 1, TicketCount: 1 })
    expect(tested.result(alice, used(first + 2))).toBe('tesSUCCESS')
    expect(tested.root(alice)?.TicketCount).toBeUndefined()
  })

  it('an account has 250 tickets at most, as far as its reserve goes', () => {
    const create = (TicketCount: number) => ({ TransactionType: 'TicketCreate', TicketCount })
    expect(tested.send(alice, create(251))).toBe('temINVALID_COUNT')
    expect(tested.result(alice, create(250))).toBe('tesSUCCESS')
    expect(tested.result(alice, create(1))).toBe('tecDIR_FULL')
    const poor = tested.funded(2n * XRP)
    expect(tested.result(poor, create(6))).toBe('tecINSUFFICIENT_RESERVE')
    expect(tested.result(poor, create(4))).toBe('tesSUCCESS')
  })

  it('a failure in a ledger costs the fee and the number and leaves nothing else', () => {
    const [before, number] = [tested.drops(alice), tested.sequence(alice)]
    const found = tested.include(alice, pay(bob, `${5000n * XRP}`))
    expect(found.meta).toMatchObject({ TransactionResult: 'tecUNFUNDED_PAYMENT' })
    expect(found.meta.delivered_amount).toBeUndefined()
    expect(found.accounts).toEqual([alice.classicAddress])
    expect(tested.drops(alice)).toBe(before - 10n)
    expect(tested.sequence(alice)).toBe(number + 1)
    expect(tested.ledger.tip.totalCoins).toBe(100_000_000_000n * XRP - 10n)
  })
})
