import { beforeEach, describe, expect, it } from 'vitest'
import type { Wallet } from 'xrpl'
import { pay, TestedLedger } from './testedLedger.test.support.js'

let tested: TestedLedger
let alice: Wallet
let bob: Wallet

beforeEach(() => {
  tested = new TestedLedger()
  ;[alice, bob] = [tested.funded(), tested.funded()]
})

const payment = (more = {}) => pay(bob, '1', more)

describe('a ledger that costs more than the base fee', () => {
  beforeEach(() => {
    tested.ledger.settings.openLedgerFee = 5000n
  })

  it('takes who pays it, and lets the others wait until it costs less', () => {
    const { hash, tx_blob } = tested.sign(alice, payment())
    expect(tested.submit(tx_blob)).toBe('terQUEUED')
    expect(tested.submit(tx_blob)).toBe('tefALREADY')
    expect(tested.send(bob, pay(alice, '1', { Fee: '5000' }))).toBe('tesSUCCESS')
    expect(tested.ledger.close().transactions).toHaveLength(1)
    expect(tested.ledger.close().transactions).toHaveLength(0)
    tested.ledger.settings.openLedgerFee = 0n
    tested.ledger.close()
    tested.ledger.close()
    expect(tested.ledger.blocks.find(hash)?.tx.meta.TransactionResult).toBe('tesSUCCESS')
  })

  it('takes another transaction of the same number for a quarter more', () => {
    const Sequence = tested.sequence(alice)
    expect(tested.send(alice, payment({ Sequence, Fee: '20' }))).toBe('terQUEUED')
    expect(tested.send(alice, payment({ Sequence, Fee: '24' }))).toBe('telCAN_NOT_QUEUE_FEE')
    expect(tested.send(alice, payment({ Sequence, Fee: '25' }))).toBe('terQUEUED')
    expect(tested.ledger.open.queued).toHaveLength(1)
    expect(tested.send(alice, payment({ Sequence, Fee: '5000' }))).toBe('tesSUCCESS')
    expect(tested.ledger.open.queued).toHaveLength(0)
  })

  it('has ten of an account wait in the order of their numbers, and forgets those whose time is over', () => {
    const first = tested.sequence(alice)
    const LastLedgerSequence = tested.ledger.tip.height + 2
    const codes = Array.from({ length: 11 }, (_, at) =>
      tested.send(alice, payment({ Sequence: first + at, LastLedgerSequence })),
    )
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'terQUEUED'), 'telCAN_NOT_QUEUE_FULL'])
    tested.ledger.close()
    expect(tested.ledger.open.queued).toHaveLength(10)
    tested.ledger.close()
    expect(tested.ledger.open.queued).toHaveLength(0)
  })
})

it('a full ledger brings everything into the next one', () => {
  tested.ledger.settings.queueAll = true
  const { hash, tx_blob } = tested.sign(alice, payment())
  expect(tested.submit(tx_blob)).toBe('terQUEUED')
  expect(tested.ledger.close().transactions).toHaveLength(0)
  expect(tested.ledger.close().transactions.map((one) => one.hash)).toEqual([hash])
})

describe('transactions that are held', () => {
  it('are taken in, and come into a ledger once they are let go', () => {
    tested.ledger.hold()
    const { hash, tx_blob } = tested.sign(alice, payment())
    expect(tested.submit(tx_blob)).toBe('tesSUCCESS')
    for (let made = 0; made < 3; made++) expect(tested.ledger.close().transactions).toHaveLength(0)
    expect(tested.ledger.open.has(hash)).toBe(true)
    tested.ledger.release(false)
    expect(tested.ledger.close().transactions.map((one) => one.hash)).toEqual([hash])
  })

  it('are gone when they are dropped, or too late, and their number is free', () => {
    tested.ledger.hold()
    const Sequence = tested.sequence(alice)
    tested.send(alice, payment({ LastLedgerSequence: tested.ledger.tip.height + 1 }))
    expect(tested.sequence(alice)).toBe(Sequence + 1)
    tested.ledger.close()
    expect(tested.sequence(alice)).toBe(Sequence)
    tested.send(alice, payment())
    tested.ledger.release(true)
    expect(tested.sequence(alice)).toBe(Sequence)
    expect(tested.send(alice, payment({ Fee: '12' }))).toBe('tesSUCCESS')
  })
})
