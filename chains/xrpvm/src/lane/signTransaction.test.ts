import { createSecp256k1Signer } from '@causeway/core/chain'
import { decode } from 'ripple-binary-codec'
import { describe, expect, it } from 'vitest'
import { hashes, verifySignature } from 'xrpl'
import { accountOfKey, NATIVE } from '../address/addresses.js'
import { paymentForm } from '../payout/paymentForm.js'
import { TRANSFER_RATE_UNIT } from '../rpc/accountState.js'
import { nothingInstead, numbered } from './numberedTransaction.js'
import { signTransaction } from './signTransaction.js'

const SIGNER = createSecp256k1Signer(`0x${'17'.repeat(32)}`)
const ACCOUNT = accountOfKey(SIGNER.publicKey)
const BOB = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const ISSUER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'

const payout = (money: { currency: string; amount: bigint }, more: object = {}) => ({
  purpose: 'fill' as const,
  orderId: `0x${'ab'.repeat(32)}` as const,
  from: ACCOUNT,
  to: { address: BOB },
  money,
  calls: [],
  ...more,
})

const XRP = payout({ currency: NATIVE, amount: 25n })
const SLOT = { sequence: 9n, until: 70n }

const form = (what = XRP, rate = TRANSFER_RATE_UNIT) => paymentForm(what, { account: ACCOUNT, rate })

describe('a payment', () => {
  it('pays the whole amount in its slot, with one memo and the flags of none (chains.md xrpvm 5)', () => {
    expect(numbered(form(), SLOT, { fee: 12n, networkId: 0 })).toEqual({
      TransactionType: 'Payment',
      Account: ACCOUNT,
      Destination: BOB,
      Amount: '25',
      Memos: [
        {
          Memo: {
            MemoType: Buffer.from('order-id').toString('hex').toUpperCase(),
            MemoData: Buffer.from(XRP.orderId).toString('hex').toUpperCase(),
          },
        },
      ],
      Fee: '12',
      Flags: 0,
      Sequence: 9,
      LastLedgerSequence: 70,
    })
  })

  it('names its ticket, its tag, and the network where that has to be named', () => {
    const tagged = form(payout(XRP.money, { to: { address: BOB, tag: 0 } }))
    expect(numbered(tagged, { ...SLOT, aside: true }, { fee: 12n, networkId: 1025 })).toMatchObject({
      DestinationTag: 0,
      Sequence: 0,
      TicketSequence: 9,
      NetworkID: 1025,
    })
    expect(numbered(form(), SLOT, { fee: 12n, networkId: 1024 }).NetworkID).toBeUndefined()
  })

  it('bounds what an issuer may take of it, but for what is paid to the issuer or by it', () => {
    const usd = payout({ currency: `USD.${ISSUER}`, amount: 3n * 10n ** 15n })
    expect(form(usd).SendMax).toBeUndefined()
    expect(form(usd, 1_002_000_000n)).toMatchObject({ Amount: { value: '3' }, SendMax: { value: '3.006' } })
    expect(form(payout(usd.money, { to: { address: ISSUER } }), 1_002_000_000n).SendMax).toBeUndefined()
  })

  it('takes no more than its amount out of the depository, which has no more of the deposit, and brings what the issuer leaves', () => {
    const usd = payout({ currency: `USD.${ISSUER}`, amount: 3n * 10n ** 15n }, { purpose: 'withdraw' })
    expect(form(usd, 1_002_000_000n)).toMatchObject({ Amount: { value: '2.9940119760479' }, SendMax: { value: '3' } })
    expect(form(usd)).toMatchObject({ Amount: { value: '3' } })
    expect(form(usd).SendMax).toBeUndefined()
  })

  it.each([
    [
      'an amount with more digits than a payment can carry',
      { money: { currency: `USD.${ISSUER}`, amount: 10n ** 16n + 1n } },
    ],
    ['nothing', { money: { currency: NATIVE, amount: 0n } }],
    ['calls', { calls: [{ to: BOB, data: '0x' as const, value: 0n }] }],
    ['a top-up', { topup: 1n }],
  ])('is not made of %s', (_, more) => {
    expect(() => form(payout(XRP.money, more))).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  })

  it('makes way for a transaction that does nothing in the same slot', () => {
    const ticketed = numbered(form(), { ...SLOT, aside: true }, { fee: 12n, networkId: 2000 })
    expect(nothingInstead(ticketed, 15n)).toEqual({
      TransactionType: 'AccountSet',
      Account: ACCOUNT,
      Fee: '15',
      Flags: 0,
      Sequence: 0,
      TicketSequence: 9,
      LastLedgerSequence: 70,
      NetworkID: 2000,
    })
  })
})

describe('a signature', () => {
  it('is one that the ledger’s own library accepts, and the id is the hash that it makes', async () => {
    const unsigned = numbered(form(), SLOT, { fee: 12n, networkId: 0 })
    const { txId, raw } = await signTransaction(unsigned, SIGNER)
    const blob = raw.slice(2).toUpperCase()
    expect(verifySignature(blob)).toBe(true)
    expect(hashes.hashSignedTx(blob)).toBe(txId)
    expect(decode(blob)).toMatchObject({ ...unsigned, Sequence: 9 })
    expect(await signTransaction(unsigned, SIGNER)).toEqual({ txId, raw })
  })

  it('of another digest is not stored', async () => {
    const wrong = { ...SIGNER, sign: () => SIGNER.sign(new Uint8Array(32)) }
    const unsigned = numbered(form(), SLOT, { fee: 12n, networkId: 0 })
    await expect(signTransaction(unsigned, wrong)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
