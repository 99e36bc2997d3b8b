import { balanceProblem } from '@causeway/core/chain-kit'
import { describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { ACCOUNT_FLAGS, type AccountState, TRANSFER_RATE_UNIT, type TrustLine } from '../rpc/accountState.js'
import { type PaymentParties, sidesOf } from './paymentSides.js'
import { trialKind } from './trialResult.js'

const ISSUER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const BOB = 'rJBdWA9p5KwBoqSQTyMdg3UHLsJVzGVu5m'
const USD = `USD.${ISSUER}`

const account = (changes: Partial<AccountState> = {}): AccountState => ({
  height: 9n,
  balance: 10_000_000n,
  flags: 0,
  owned: 2n,
  sequence: 5n,
  tickets: 0,
  regularKey: null,
  hasSigners: false,
  transferRate: TRANSFER_RATE_UNIT,
  isAmm: false,
  ...changes,
})

/** A line with units of 10^-15. */
const lineWith = (changes: Partial<TrustLine> = {}): TrustLine => ({
  ...{ account: ISSUER, currency: 'USD', balance: '50e-15', limit: '100e-15' },
  ...changes,
})

const parties = (changes: Partial<PaymentParties> = {}): PaymentParties => ({
  height: 9n,
  reserves: { base: 1_000_000n, increment: 200_000n },
  payer: account(),
  recipient: account(),
  issuer: account(),
  held: lineWith(),
  taken: lineWith(),
  isChosen: true,
  ...changes,
})

const problem = (
  seen: PaymentParties,
  {
    currency = NATIVE,
    amount = 10n,
    tag,
    taken = amount,
  }: { currency?: string; amount?: bigint; tag?: number; taken?: bigint } = {},
) => {
  const form = { Destination: BOB, ...(tag === undefined ? {} : { DestinationTag: tag }) }
  const money = { currency, amount }
  const native = { address: NATIVE, symbol: 'XRP' }
  return balanceProblem(money, sidesOf(form, money, seen), { fee: 12n, taken }, native)
}

describe('what stands against a payment', () => {
  it.each([
    [
      'an account that needs a tag',
      parties({ recipient: account({ flags: ACCOUNT_FLAGS.requireDestinationTag }) }),
      {},
    ],
    [
      'an account that chose other payers',
      parties({ recipient: account({ flags: ACCOUNT_FLAGS.depositAuthorization }), isChosen: false }),
      {},
    ],
    ['a market maker', parties({ recipient: account({ isAmm: true }) }), {}],
    ['no account, of an issued currency', parties({ recipient: null }), { currency: USD }],
    ['no trust line', parties({ taken: null }), { currency: USD }],
    ['a full trust line', parties(), { currency: USD, amount: 51n, taken: 40n }],
    ['a frozen trust line', parties({ taken: lineWith({ freeze_peer: true }) }), { currency: USD }],
    ['an issuer that does not exist', parties({ issuer: null }), { currency: USD }],
  ])('is %s: it cannot receive', (_, seen, money) => {
    expect(problem(seen, money)).toMatchObject({ ok: false, kind: 'recipient-cannot-receive' })
  })

  it('is a new account below its reserve, and not from there on', () => {
    expect(problem(parties({ recipient: null }), { amount: 999_999n })).toMatchObject({ leastAmount: 1_000_000n })
    expect(problem(parties({ recipient: null }), { amount: 1_000_000n })).toBeNull()
  })

  it.each([
    ['XRP that must stay as the reserve', parties(), { amount: 8_600_001n }],
    ['more than is held', parties(), { currency: USD, amount: 50n, taken: 51n }],
    ['what is not held at all', parties({ held: null }), { currency: USD }],
    ['a frozen balance', parties({ held: lineWith({ freeze_peer: true }) }), { currency: USD }],
    ['no XRP for the fee', parties({ payer: account({ balance: 11n }) }), { currency: USD }],
    ['no account of its own', parties({ payer: null }), {}],
  ])('is that the payer has %s', (_, seen, money) => {
    expect(problem(seen, money)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
  })

  it('is nothing where both sides can', () => {
    expect(problem(parties())).toBeNull()
    expect(problem(parties(), { amount: 8_600_000n })).toBeNull()
    expect(problem(parties(), { currency: USD, amount: 50n })).toBeNull()
    const tagged = parties({ recipient: account({ flags: ACCOUNT_FLAGS.requireDestinationTag }) })
    expect(problem(tagged, { tag: 0 })).toBeNull()
  })
})

it.each([
  ['tesSUCCESS', null],
  ['tecNO_DST_INSUF_XRP', 'recipient-cannot-receive'],
  ['tecDST_TAG_NEEDED', 'recipient-cannot-receive'],
  ['tecUNFUNDED_PAYMENT', 'insufficient-funds'],
  ['tecPATH_DRY', 'unclear'],
  ['telINSUF_FEE_P', 'transient'],
  ['terPRE_SEQ', 'transient'],
  ['temREDUNDANT', 'revert'],
  ['tecFROZEN', 'revert'],
])('%s of a simulation means: %s', (result, kind) => {
  expect(trialKind(result)).toBe(kind)
})
