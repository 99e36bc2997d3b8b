import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserRequest } from '../transfers/userClient.js'
import { DROPS, EVM_ID, ISSUED, XRP, XRP_ID, type XrpNetwork } from './xrpNetwork.js'
import { startXrpWorld, type XrpWorld } from './xrpWorld.js'

let world: XrpWorld
let network: XrpNetwork
/** Addresses by what is wrong with them. */
let odd: Readonly<Record<string, string>>

const ACCOUNT_ONE = 'rrrrrrrrrrrrrrrrrrrrBZbvji'
const [REQUIRE_DEST, DISABLE_MASTER] = [1, 4]
/** An account may be deleted so many ledgers after its first one. */
const LEAST_AGE = 256

beforeAll(async () => {
  world = await startXrpWorld()
  ;({ network } = world)
  const [tagged, blackholed, deleted] = [
    await network.newAccount(),
    await network.newAccount(),
    await network.newAccount(),
  ]
  await tagged.send({ TransactionType: 'AccountSet', SetFlag: REQUIRE_DEST })
  await blackholed.send({ TransactionType: 'SetRegularKey', RegularKey: ACCOUNT_ONE })
  await blackholed.send({ TransactionType: 'AccountSet', SetFlag: DISABLE_MASTER })
  await network.ledger.advance(LEAST_AGE)
  await deleted.send({ TransactionType: 'AccountDelete', Destination: network.ice.issuer.address })
  odd = {
    tagged: tagged.address,
    blackholed: blackholed.address,
    deleted: deleted.address,
    taggedX: tagged.xAddress(7, true),
    mainX: tagged.xAddress(7, false),
    issuer: network.ice.issuer.address,
  }
})
afterAll(() => world?.close())

const of = (name: string): string => odd[name] ?? ''

const toLedger: UserRequest = { from: EVM_ID, to: XRP_ID, symbol: 'XRP', amount: 20n * DROPS }
const fromLedger: UserRequest = { from: XRP_ID, to: EVM_ID, symbol: 'XRP', amount: 20n * DROPS }
/** An issued currency to the ledger, of which another body member is wrong. */
const issued = (more: Readonly<Record<string, unknown>>): UserRequest => ({ ...toLedger, recipient: ACCOUNT_ONE, more })

interface Case {
  readonly what: string
  readonly ask: () => UserRequest
  readonly errorCode: string | RegExp
  readonly says: RegExp
}

const RECIPIENTS: readonly Case[] = [
  {
    what: 'an account that requires a tag, without one',
    ask: () => ({ ...toLedger, recipient: of('tagged') }),
    errorCode: 'DESTINATION_TX_FAILED',
    says: /tag/i,
  },
  {
    what: 'an X-address with one tag and another behind it',
    ask: () => ({ ...toLedger, recipient: `${of('taggedX')}?tag=8` }),
    errorCode: 'INVALID_ADDRESS',
    says: /two tags/,
  },
  {
    what: 'a tag beyond 32 bits',
    ask: () => ({ ...toLedger, recipient: `${of('tagged')}?tag=4294967296` }),
    errorCode: 'INVALID_ADDRESS',
    says: /whole number/,
  },
  {
    what: 'a tag with a sign, or as text',
    ask: () => ({ ...toLedger, recipient: `${of('tagged')}?tag=-1` }),
    errorCode: 'INVALID_ADDRESS',
    says: /whole number/,
  },
  {
    what: 'an X-address of the other network',
    ask: () => ({ ...toLedger, recipient: of('mainX') }),
    errorCode: 'INVALID_ADDRESS',
    says: /network/i,
  },
  {
    what: 'the account of zeros, which stands for XRP',
    ask: () => ({ ...toLedger, recipient: XRP }),
    errorCode: 'INVALID_RECIPIENT',
    says: /native currency/,
  },
  {
    what: 'an account of which nobody has the key',
    ask: () => ({ ...toLedger, recipient: of('blackholed') }),
    errorCode: /DESTINATION_TX_FAILED|INVALID_RECIPIENT/,
    says: /key|spend/i,
  },
  {
    what: 'a deleted account, an issued currency',
    ask: () => ({ ...toLedger, symbol: 'ICE', amount: 30n * 10n ** 18n, recipient: of('deleted') }),
    errorCode: 'DESTINATION_TX_FAILED',
    says: /exist|activat|trust/i,
  },
  {
    what: 'a deleted account, less than opens it',
    ask: () => ({ ...toLedger, amount: (DROPS * 9n) / 10n, recipient: of('deleted') }),
    errorCode: 'AMOUNT_TOO_LOW',
    says: /1\.0 XRP/,
  },
  {
    what: 'the account that issues the currency',
    ask: () => ({ ...toLedger, symbol: 'ICE', amount: 30n * 10n ** 18n, recipient: of('issuer') }),
    errorCode: 'DESTINATION_TX_FAILED',
    says: /issues this currency/,
  },
  {
    what: 'the depository',
    ask: () => ({ ...toLedger, recipient: network.depository }),
    errorCode: 'INVALID_RECIPIENT',
    says: /depository/,
  },
  {
    what: 'an address with a wrong checksum',
    ask: () => ({ ...toLedger, recipient: `${of('tagged').slice(0, -1)}${of('tagged').endsWith('p') ? 'q' : 'p'}` }),
    errorCode: 'INVALID_ADDRESS',
    says: /address/,
  },
  {
    what: 'an address of another chain',
    ask: () => ({ ...toLedger, recipient: `0x${'12'.repeat(20)}` }),
    errorCode: 'INVALID_ADDRESS',
    says: /address/,
  },
]

const CURRENCIES: readonly Case[] = [
  ...[
    ['the code XRP as an issued currency', () => `XRP.${of('issuer')}`],
    ['40 digits that begin with two zeros', () => `00${'0'.repeat(38)}.${of('issuer')}`],
    ['39 digits of a code', () => `${'A1'.repeat(19)}F.${of('issuer')}`],
    ['a code of four letters', () => `GOLD.${of('issuer')}`],
    ['a code without an issuer', () => 'USD'],
    ['an issuer that is an X-address', () => `ICE.${of('taggedX')}`],
    ['an issuer that is no account', () => 'ICE.rNobody'],
  ].map(
    ([what, currency]): Case => ({
      what: what as string,
      // CAST: the second of each pair.
      ask: () => issued({ destinationCurrency: (currency as () => string)() }),
      errorCode: 'INVALID_OUTPUT_CURRENCY',
      says: /destinationCurrency/,
    }),
  ),
  {
    what: 'a code of 40 digits that nobody issues here',
    ask: () => issued({ destinationCurrency: `${'A1'.repeat(20)}.${of('issuer')}` }),
    errorCode: 'UNSUPPORTED_CURRENCY',
    says: /destinationCurrency/,
  },
]

const AMOUNTS: readonly Case[] = [
  {
    what: 'an input of 16 digits',
    ask: () => ({ ...fromLedger, symbol: 'ICE', amount: 33n * ISSUED + 1n }),
    errorCode: 'INVALID_REQUEST',
    says: /nearest below it is 33000000000000000/,
  },
  {
    what: 'an exact output of 16 digits',
    ask: () => ({
      ...toLedger,
      symbol: 'ICE',
      amount: 33n * ISSUED + 1n,
      recipient: of('tagged'),
      more: { tradeType: 'EXACT_OUTPUT' },
    }),
    errorCode: 'INVALID_REQUEST',
    says: /nearest below it is 33000000000000000/,
  },
  ...['1e6', '1.5', '-1', '0x10', ' 1', '1 XRP', ''].map(
    (amount): Case => ({
      what: `the amount "${amount}"`,
      ask: () => ({ ...fromLedger, more: { amount } }),
      errorCode: 'INVALID_REQUEST',
      says: /amount/,
    }),
  ),
  {
    what: 'more drops than there are',
    ask: () => ({ ...fromLedger, amount: 10n ** 17n + 1n }),
    errorCode: 'INVALID_REQUEST',
    says: /nearest below it is 100000000000000000/,
  },
]

describe.each([
  { kind: 'recipients', cases: RECIPIENTS },
  { kind: 'currencies', cases: CURRENCIES },
  { kind: 'amounts', cases: AMOUNTS },
])('$kind that cannot be are refused with a clear 400 (chains.md xrpvm 1, 10)', ({ cases }) => {
  it.each(cases)('$what', async ({ ask, errorCode, says }) => {
    const refusal = await world.refusal(ask())
    expect(refusal).toMatchObject({ status: 400, message: expect.stringMatching(says) })
    expect(refusal.errorCode).toMatch(errorCode)
    expect(refusal.message).not.toMatch(/https?:|\bat .*\.[jt]s|undefined/)
  })
})

it('the zero address of EVM and the code in any spelling mean what they say', async () => {
  const zero = `0x${'0'.repeat(40)}`
  const { status, body } = await world.client.ask({ ...fromLedger, more: { originCurrency: zero } })
  expect([status, body]).toMatchObject([200, { details: { currencyIn: { amount: (20n * DROPS).toString() } } }])
  const hex = Buffer.from('ICE').toString('hex').toUpperCase()
  const spelt = `${'0'.repeat(24)}${hex}${'0'.repeat(10)}.${of('issuer')}`
  const { status: asked } = await world.client.ask({
    ...fromLedger,
    symbol: 'ICE',
    amount: 30n * ISSUED,
    more: { originCurrency: spelt },
  })
  expect(asked).toBe(200)
})

it('nothing of all that was stored', async () => {
  const { rows } = await world.pool.query<{ quotes: number; requests: number }>(
    'select (select count(*) from quotes)::int as quotes, (select count(*) from requests)::int as requests',
  )
  expect(rows).toEqual([{ quotes: 2, requests: 0 }])
})
