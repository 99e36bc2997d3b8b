import { describe, expect, it } from 'vitest'
import { PERPS, SPOT, USDC } from './assets.js'
import { STATUS } from './ledgerTx.js'
import type { LighterLedger } from './lighterLedger.js'
import { readTransaction, TRANSFER } from './readTransaction.js'
import {
  CHAIN_ID,
  DOLLAR,
  type Fields,
  MINUTE,
  newParty,
  SLOT,
  signedTransfer,
  someSignature,
  testedExchange,
} from './signedTransfer.test.support.js'
import { balanceIn, keyIn } from './state/entries.js'

const perpsOf = (exchange: LighterLedger, account: string) =>
  balanceIn(exchange.state.at(exchange.blocks.head.height), account, { asset: USDC, route: PERPS })

const send = (exchange: LighterLedger, fields: Fields) => exchange.submit(TRANSFER, JSON.stringify(fields))

describe('an accepted transfer', () => {
  it('moves amount and fee in the next block, and uses the nonce up', async () => {
    const { exchange, payer, receiver } = testedExchange()
    const { hash } = send(exchange, await signedTransfer(payer, receiver.account))
    expect(exchange.waiting((tx) => tx.hash === hash)?.status).toBe(STATUS.pending)
    expect(perpsOf(exchange, receiver.account)).toBe(0n)
    const block = exchange.close()
    expect(block.transactions).toMatchObject([{ hash, account: payer.account, sequence: 1 }])
    expect(perpsOf(exchange, payer.account)).toBe(87n * DOLLAR)
    expect(perpsOf(exchange, receiver.account)).toBe(10n * DOLLAR)
    expect(keyIn(exchange.open, payer.account, SLOT)?.nonce).toBe(1)
  })

  it('is committed in its block and executed after the next one', async () => {
    const { exchange, payer, receiver } = testedExchange()
    send(exchange, await signedTransfer(payer, receiver.account))
    const block = exchange.close()
    const statusAt = (head: typeof block) => block.transactions.map((tx) => exchange.statusOf(tx, block, head))
    expect(statusAt(block)).toEqual([STATUS.committed])
    expect(statusAt(exchange.close())).toEqual([STATUS.executed])
  })

  it('may move between routes of one account', async () => {
    const { exchange, payer } = testedExchange()
    send(exchange, await signedTransfer(payer, payer.account, { ToRouteType: SPOT }))
    exchange.close()
    expect(balanceIn(exchange.open, payer.account, { asset: USDC, route: SPOT })).toBe(10n * DOLLAR)
    expect(perpsOf(exchange, payer.account)).toBe(87n * DOLLAR)
  })

  it('has amounts above 2^53 exactly', async () => {
    const { exchange, payer, receiver } = testedExchange()
    const amount = 2n ** 53n + 1n
    exchange.fund(payer.account, amount)
    const text = await signedTransfer(payer, receiver.account, { Amount: 1 })
    const unsigned = JSON.stringify({ ...text, L1Sig: '' }).replace('"Amount":1', `"Amount":${amount}`)
    const { ownerText, transfer } = readTransaction(TRANSFER, unsigned, CHAIN_ID)
    expect(transfer?.amount).toBe(amount)
    const signature = await payer.owner.signMessage({ message: ownerText })
    exchange.submit(TRANSFER, unsigned.replace('"L1Sig":""', `"L1Sig":"${signature}"`))
    exchange.close()
    expect(perpsOf(exchange, receiver.account)).toBe(amount)
  })

  it('of an account opened by its index shows the owner', async () => {
    const { exchange, receiver } = testedExchange()
    const late = newParty()
    exchange.openAccount(late.account, { [SLOT]: '22'.repeat(40) })
    exchange.fund(late.account, 20n * DOLLAR)
    await expect(async () =>
      send(exchange, await signedTransfer(late, receiver.account, {}, newParty().owner)),
    ).rejects.toThrow('invalid L1 signature')
    const { owner } = send(exchange, await signedTransfer(late, receiver.account))
    expect(owner).toBe(late.owner.address.toLowerCase())
  })
})

describe('the owner signs every field', () => {
  const fields: readonly [string, unknown][] = [
    ['Nonce', 1],
    ['FromAccountIndex', 1],
    ['FromRouteType', SPOT],
    ['ApiKeyIndex', 3],
    ['ToAccountIndex', 1],
    ['ToRouteType', SPOT],
    ['AssetIndex', 4],
    ['Amount', 10_000_001],
    ['USDCFee', 3_000_001],
    ['Memo', [...Array(31).fill(7), 8]],
  ]

  it.each(fields)('%s', async (name, value) => {
    const { exchange, payer, receiver } = testedExchange()
    // Everything but the signature allows the changed transfer.
    const known = name === 'FromAccountIndex' ? '1' : payer.account
    exchange.assets.list('GOLD', 6)
    exchange.openAccount('1', { [SLOT]: '11'.repeat(40) })
    exchange.openAccount(payer.account, { 3: '33'.repeat(40) })
    for (const currency of ['0', '3', '4']) exchange.fund(known, 100n * DOLLAR, currency)
    if (name === 'Nonce') send(exchange, await signedTransfer(payer, receiver.account))
    const honest = await signedTransfer(payer, receiver.account)
    const changes = { [name]: value, ...(name === 'AssetIndex' ? { FromRouteType: SPOT, ToRouteType: SPOT } : {}) }
    expect(() => send(exchange, { ...honest, ...changes })).toThrow('invalid L1 signature')
    const asAsked = name === 'FromAccountIndex' ? null : await signedTransfer(payer, receiver.account, changes)
    if (asAsked !== null) expect(send(exchange, asAsked).account).toBe(payer.account)
  })

  it('the chain id', async () => {
    const parties = [newParty(), newParty()] as const
    const { exchange: other } = testedExchange(parties, CHAIN_ID + 1)
    const fields = await signedTransfer(parties[0], parties[1].account)
    expect(() => send(other, fields)).toThrow('invalid L1 signature')
  })
})

describe('the exchange refuses', () => {
  const refusals: readonly [string, Fields, string][] = [
    ['an amount above the balance', { Amount: 97_000_001 }, 'not enough balance to transfer'],
    ['an amount of nothing', { Amount: 0 }, 'invalid transfer amount'],
    ['a receiver without an account', { ToAccountIndex: 999 }, 'account not found'],
    ['a slot without an API key', { ApiKeyIndex: 3 }, 'api key not found'],
    ['a fee below the current one', { USDCFee: 2_999_999 }, 'invalid transfer fee'],
    ['an unknown asset', { AssetIndex: 40 }, 'invalid asset index'],
    ['ether on perps', { AssetIndex: 1 }, 'invalid route type'],
    ['a memo of another length', { Memo: [1, 2] }, 'invalid memo length'],
    ['a nonce of later', { Nonce: 1 }, 'invalid nonce'],
    ['an expired transaction', { ExpiredAt: Date.now() - 1 }, 'transaction expired'],
    ['a signature of another length', { Sig: Buffer.alloc(79).toString('base64') }, 'invalid signature'],
    ['an amount with decimals', { Amount: 1.5 }, 'invalid tx info: Amount'],
    ['a negative amount', { Amount: -1 }, 'invalid tx info: Amount'],
  ]

  it.each(refusals)('%s', async (_, changes, message) => {
    const { exchange, payer, receiver } = testedExchange()
    await expect(async () => send(exchange, await signedTransfer(payer, receiver.account, changes))).rejects.toThrow(
      message,
    )
    expect(exchange.close().transactions).toEqual([])
  })

  it('the same bytes twice, before and after their block', async () => {
    const { exchange, payer, receiver } = testedExchange()
    const fields = await signedTransfer(payer, receiver.account)
    send(exchange, fields)
    expect(() => send(exchange, fields)).toThrow('invalid nonce')
    exchange.close()
    expect(() => send(exchange, { ...fields, Sig: someSignature() })).toThrow('invalid nonce')
    expect(perpsOf(exchange, receiver.account)).toBe(10n * DOLLAR)
  })

  it('the fee of before once it was raised', async () => {
    const { exchange, payer, receiver } = testedExchange()
    const fields = await signedTransfer(payer, receiver.account)
    exchange.settings.transferFee = 4n * DOLLAR
    expect(() => send(exchange, fields)).toThrow('invalid transfer fee')
  })

  it('a fee that the balance of USDC lacks, of another asset too', async () => {
    const { exchange, receiver } = testedExchange()
    const poor = newParty()
    exchange.openAccount(poor.owner.address, { [SLOT]: '11'.repeat(40) })
    exchange.fund(poor.account, 50_000_000n, '1')
    const ether = { AssetIndex: 1, FromRouteType: SPOT, ToRouteType: SPOT }
    await expect(async () => send(exchange, await signedTransfer(poor, receiver.account, ether))).rejects.toThrow(
      'not enough balance to transfer',
    )
  })

  it('text that is not JSON, and an unknown type', () => {
    const { exchange } = testedExchange()
    expect(() => exchange.submit(TRANSFER, '{')).toThrow('invalid tx info')
    expect(() => exchange.submit(14, '{}')).toThrow('unsupported tx type')
  })
})

describe('a transfer that waits', () => {
  it('is queued after a block, and fails once it expired, with its nonce used up', async () => {
    const { exchange, payer, receiver } = testedExchange()
    exchange.hold()
    const { hash } = send(exchange, await signedTransfer(payer, receiver.account))
    exchange.close()
    expect(exchange.waiting((tx) => tx.hash === hash)?.status).toBe(STATUS.queued)
    exchange.blocks.wind(11 * MINUTE)
    exchange.release(false)
    expect(exchange.close().transactions).toMatchObject([{ hash, failure: STATUS.failed }])
    expect(perpsOf(exchange, payer.account)).toBe(100n * DOLLAR)
    expect(keyIn(exchange.open, payer.account, SLOT)?.nonce).toBe(1)
  })

  it('leaves its nonce and its amount free if it is dropped', async () => {
    const { exchange, payer, receiver } = testedExchange()
    exchange.hold()
    const { hash } = send(exchange, await signedTransfer(payer, receiver.account))
    exchange.release(true)
    exchange.close()
    expect(exchange.waiting((tx) => tx.hash === hash)).toBeNull()
    expect(keyIn(exchange.open, payer.account, SLOT)?.nonce).toBe(0)
    expect(send(exchange, await signedTransfer(payer, receiver.account)).nonce).toBe(0)
  })
})

describe('a transfer of a block', () => {
  it('may end as failed or rejected, with its nonce used up', async () => {
    const { exchange, payer, receiver } = testedExchange()
    exchange.settings.failures.push(STATUS.rejected)
    send(exchange, await signedTransfer(payer, receiver.account))
    expect(exchange.close().transactions).toMatchObject([{ failure: STATUS.rejected }])
    expect(perpsOf(exchange, payer.account)).toBe(100n * DOLLAR)
    expect(keyIn(exchange.open, payer.account, SLOT)?.nonce).toBe(1)
  })

  it('may regress: its amount and fee go back', async () => {
    const { exchange, payer, receiver } = testedExchange()
    const { hash } = send(exchange, await signedTransfer(payer, receiver.account))
    const block = exchange.close()
    exchange.regress(hash, STATUS.failed)
    const head = exchange.close()
    expect(block.transactions.map((tx) => exchange.statusOf(tx, block, head))).toEqual([STATUS.failed])
    expect([perpsOf(exchange, payer.account), perpsOf(exchange, receiver.account)]).toEqual([100n * DOLLAR, 0n])
    expect(() => exchange.regress('ab', STATUS.failed)).toThrow('ab is no executed transfer')
  })
})
