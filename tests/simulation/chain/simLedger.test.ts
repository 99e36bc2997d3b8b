import { describe, expect, it, test } from 'vitest'
import { seeded } from '../kernel/random.js'
import { simChainKeys } from './simKeys.js'
import { SimLedger } from './simLedger.js'
import type { SimKind } from './simPool.js'
import { signTransfer } from './simTransaction.js'
import { SimUser } from './simUser.js'

const PLENTY = 1_000_000n

const ledgerOf = (kind: SimKind, seed = 'a'): SimLedger =>
  new SimLedger({
    chainId: 9,
    slug: 'sim',
    kind,
    settle: kind === 'final' ? 0 : 4,
    now: () => 1_700_000_000_000,
    random: seeded(seed),
  })

/** A user with plenty of everything, and how they pay the depository. */
const payerOn = (ledger: SimLedger, name = 'ann') => {
  const user = new SimUser(name)
  for (const currency of [ledger.coin, ledger.token]) ledger.fund(user.address, currency, PLENTY)
  const pay = (amount: bigint, more: Partial<Parameters<SimUser['deposit']>[1]> = {}): string =>
    ledger.submit(user.deposit(ledger, { money: { currency: ledger.token, amount }, memo: 'x', ...more }).raw)
  return { user, pay }
}

const kinds = [['final'], ['reorging']] as const

describe.each(kinds)('a %s ledger', (kind) => {
  it('moves money and takes the fee of what is in a block, once', () => {
    const ledger = ledgerOf(kind)
    const { user } = payerOn(ledger)
    const { raw, id } = user.deposit(ledger, { money: { currency: ledger.coin, amount: 70n }, memo: 'x' })
    expect([ledger.submit(raw), ledger.submit(raw)]).toEqual([id, id])
    expect(ledger.pending().length).toBe(1)
    ledger.mine()
    expect(ledger.submit(raw)).toBe(id)
    ledger.mine()
    expect([ledger.balance(ledger.depository, ledger.coin), ledger.balance(user.address, ledger.coin)]).toEqual([
      70n,
      PLENTY - 70n - ledger.fee,
    ])
    expect(ledger.records().map(({ status, block }) => [status, block?.height])).toEqual([['success', 1]])
  })

  it('burns the fee of what fails: a closed recipient, money that is gone', () => {
    const ledger = ledgerOf(kind)
    const { user, pay } = payerOn(ledger)
    pay(5n, { to: new SimUser('bob').address })
    pay(PLENTY)
    ledger.close(new SimUser('bob').address)
    ledger.fund(user.address, ledger.token, -1n)
    ledger.mine()
    expect(ledger.records().map(({ reason }) => reason)).toEqual(expect.arrayContaining(['CLOSED', 'INSUFFICIENT']))
    expect(ledger.balance(user.address, ledger.coin)).toBe(PLENTY - 2n * ledger.fee)
    expect(ledger.balance(user.address, ledger.token)).toBe(PLENTY - 1n)
  })

  it('refuses what nobody signed for, what is late, and who cannot pay the fee', () => {
    const ledger = ledgerOf(kind)
    const { user } = payerOn(ledger)
    const { transfer } = user.deposit(ledger, { money: { currency: ledger.token, amount: 1n }, memo: '', lifetime: 1 })
    const { payer } = simChainKeys('sim')
    expect(() => ledger.submit(signTransfer(transfer, [payer]))).toThrow('BAD_SIGNATURE')
    expect(() => ledger.submit('0x00')).toThrow('MALFORMED')
    const poor = new SimUser('poor').deposit(ledger, { money: { currency: ledger.token, amount: 1n }, memo: '' })
    expect(() => ledger.submit(poor.raw)).toThrow('NO_FEE')
    const late = user.deposit(ledger, { money: { currency: ledger.token, amount: 1n }, memo: '', lifetime: 1 })
    ledger.mine()
    expect(() => ledger.submit(late.raw)).toThrow('EXPIRED')
  })

  it('lets wait what offers less than blocks take, until its time is over', () => {
    const ledger = ledgerOf(kind)
    const { pay } = payerOn(ledger)
    pay(1n, { lifetime: 2 })
    ledger.fee *= 2n
    ledger.mine()
    expect([ledger.records().length, ledger.pending().length]).toEqual([0, 1])
    ledger.mine()
    expect(ledger.pending().length).toBe(0)
  })

  it('pays out of the depository what both keys signed, at the cost of the account', () => {
    const ledger = ledgerOf(kind)
    const { payer, allocator } = ledger.keys
    ledger.fund(ledger.depository, ledger.token, 9n)
    ledger.fund(payer.address, ledger.coin, PLENTY)
    const transfer = {
      network: 'sim',
      account: payer.address,
      from: allocator.address,
      to: payer.address,
      currency: ledger.token,
      amount: '9',
      memo: '',
      fee: ledger.fee.toString(),
      sequence: 1,
      validUntil: 20,
    }
    expect(() => ledger.submit(signTransfer(transfer, [payer]))).toThrow('BAD_SIGNATURE')
    ledger.submit(signTransfer(transfer, [payer, allocator]))
    ledger.mine()
    expect(ledger.balance(payer.address, ledger.token)).toBe(9n)
    expect(ledger.balance(payer.address, ledger.coin)).toBe(PLENTY - ledger.fee)
  })
})

describe('numbers in strict order', () => {
  it('wait for each other, and only a dearer transfer takes the place of another', () => {
    const ledger = ledgerOf('final')
    const { user, pay } = payerOn(ledger)
    const money = { currency: ledger.token, amount: 3n }
    const gone = user.deposit(ledger, { money, memo: 'first' })
    const dearer = user.deposit(ledger, { money, memo: 'dearer', fee: ledger.fee * 2n })
    const same = user.deposit(ledger, { money, memo: 'same' })
    ledger.submit(gone.raw)
    expect(() => ledger.submit(same.raw)).toThrow('UNDERPRICED')
    ledger.submit(dearer.raw)
    pay(1n)
    ledger.mine()
    expect(ledger.records().map(({ transfer }) => [transfer.sequence, transfer.memo])).toEqual([
      [1, 'dearer'],
      [2, 'x'],
    ])
    expect(() => ledger.submit(gone.raw)).toThrow('SEQUENCE_USED')
  })

  it('hold up what comes after a gap', () => {
    const ledger = ledgerOf('final')
    const { pay } = payerOn(ledger)
    pay(1n, { lifetime: 1 })
    pay(2n)
    ledger.held = true
    ledger.mine()
    ledger.held = false
    ledger.mine()
    expect([ledger.records().length, ledger.pending().length]).toEqual([0, 1])
    pay(3n)
    ledger.mine()
    expect(ledger.records().map(({ transfer }) => transfer.amount)).toEqual(['3', '2'])
  })
})

describe('blocks that leave', () => {
  const landed = (fate: 'returned' | 'lost' | 'shuffled') => {
    const ledger = ledgerOf('reorging')
    const { user, pay } = payerOn(ledger)
    const ids = [1n, 2n, 3n].map((amount) => {
      const id = pay(amount)
      ledger.mine()
      return id
    })
    const { hash, height } = ledger.head
    ledger.reorg(2, fate)
    expect(ledger.head.height).toBe(height)
    expect(ledger.head.hash).not.toBe(hash)
    return { ledger, ids, user }
  }

  it('let their transfers wait again', () => {
    const { ledger, ids } = landed('returned')
    expect([ledger.records().length, ledger.pending().length]).toEqual([1, 2])
    ledger.mine()
    expect(
      ledger
        .records()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort())
  })

  it('lose them', () => {
    const { ledger, user } = landed('lost')
    ledger.mine()
    expect(ledger.records().length).toBe(1)
    expect(ledger.balance(user.address, ledger.token)).toBe(PLENTY - 1n)
    expect(ledger.balance(user.address, ledger.coin)).toBe(PLENTY - ledger.fee)
  })

  it('are followed by others that hold them', () => {
    const { ledger, ids } = landed('shuffled')
    expect([...ledger.records(), ...ledger.pending()].length).toBe(3)
    ledger.mine()
    expect(new Set(ledger.records().map(({ id }) => id))).toEqual(new Set(ids))
    expect(ledger.balance(ledger.depository, ledger.token)).toBe(6n)
  })

  it('are followed by others that hold what seemed to be late', () => {
    const landsLate = (seed: string): boolean => {
      const ledger = ledgerOf('reorging', seed)
      const { pay } = payerOn(ledger)
      ledger.held = true
      const id = pay(1n, { lifetime: 2 })
      for (let count = 0; count < 3; count += 1) ledger.mine()
      expect(ledger.pending()).toEqual([])
      ledger.held = false
      ledger.reorg(3, 'shuffled')
      return ledger.branch.record(id) !== null
    }
    const landed = Array.from({ length: 20 }, (_, at) => landsLate(`seed ${at}`))
    expect(new Set(landed)).toEqual(new Set([true, false]))
  })

  it('count again where they are taken back, with what they held', () => {
    const { ledger, ids } = landed('returned')
    expect(ledgerOf('reorging').takeBack()).toBe(false)
    ledger.mine()
    const { hash, height } = ledger.head
    ledger.reorg(1, 'lost')
    ledger.mine()
    expect(ledger.records().length).toBe(1)
    expect(ledger.takeBack()).toBe(true)
    expect(ledger.branch.block(height)?.hash).toBe(hash)
    expect(ledger.head.height).toBe(height + 2)
    expect(new Set(ledger.records().map(({ id }) => id))).toEqual(new Set(ids))
    expect(ledger.balance(ledger.depository, ledger.token)).toBe(6n)
    expect(ledger.takeBack()).toBe(false)
  })

  it('never leave where they are settled', () => {
    expect(() => ledgerOf('reorging').reorg(5, 'lost')).toThrow()
    expect(() => ledgerOf('final').reorg(1, 'lost')).toThrow()
  })
})

test('the same seed gives the same ledger', () => {
  const told = (seed: string): string => {
    const ledger = ledgerOf('reorging', seed)
    const { pay } = payerOn(ledger)
    for (let at = 1n; at < 9n; at += 1n) pay(at)
    ledger.mine()
    ledger.reorg(1, 'shuffled')
    ledger.mine()
    const delays = ledger.nodes.map((node) => node.answer('[]').delayMs)
    return JSON.stringify([ledger.records(), ledger.head, delays])
  }
  expect(told('a')).toBe(told('a'))
  expect(told('a')).not.toBe(told('b'))
})
