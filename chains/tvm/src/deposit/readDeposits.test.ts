import { eventTopics } from '@causeway/contracts-abi'
import { describe, expect, it } from 'vitest'
import { addressWord, wordOf } from '../address/abi.js'
import { accountOf, addressOf, NATIVE } from '../address/addresses.js'
import type { SourceTransaction } from '../read/blockTransactions.js'
import type { TronLog } from '../read/transactions.js'
import { readDeposits } from './readDeposits.js'

const ID = '5a'.repeat(32)
const account = (digit: string) => digit.repeat(40)
const [DEPOSITORY, TOKEN, OTHER, USER] = [account('d'), account('7'), account('8'), account('1')]
const word = (hex: string) => hex.padStart(64, '0')

const transfer = (token: string, from: string, to: string, amount: bigint): TronLog => ({
  ...{ address: token, topics: [eventTopics.transfer.slice(2), word(from), word(to)], data: wordOf(amount) },
})
const announced = (at: string, token: string, amount: bigint, id = ID): TronLog => ({
  ...{ address: at, topics: [eventTopics.relayErc20Deposit.slice(2)] },
  data: word(OTHER) + word(token) + wordOf(amount) + id,
})
const native = (at: string, amount: bigint, id = ID): TronLog => ({
  ...{ address: at, topics: [eventTopics.relayNativeDeposit.slice(2)], data: word(OTHER) + wordOf(amount) + id },
})

const transaction = (logs: readonly TronLog[], more: Partial<SourceTransaction> = {}): SourceTransaction => ({
  ...{ id: 'ab'.repeat(32), block: { height: 5n, hash: 'cd'.repeat(32), time: 9 }, kind: 'TriggerSmartContract' },
  ...{ owner: USER, to: DEPOSITORY, value: 0n, data: '', memo: '', timestamp: 1n, expiration: 2n, fee: 3n },
  ...{ failure: null, returned: '', logs, internal: [], logsBefore: 4, ...more },
})

const read = (logs: readonly TronLog[], more: Partial<SourceTransaction> = {}) =>
  readDeposits(transaction(logs, more), DEPOSITORY).map(({ orderId, depositor, money, index, position }) => ({
    ...{ orderId, depositor, money, index, position },
  }))

const BARE = `a9059cbb${addressWord(addressOf(DEPOSITORY))}${wordOf(9n)}`
const found = { depositor: addressOf(USER), money: { currency: addressOf(TOKEN), amount: 9n }, index: 4, position: 0 }

describe('a deposit by the depository', () => {
  it('of TRX is what its event says, and of the depository alone', () => {
    const money = { currency: NATIVE, amount: 9n }
    const deposit = { orderId: `0x${ID}`, depositor: addressOf(OTHER), money, index: 4, position: 0 }
    expect(read([native(DEPOSITORY, 9n)])).toEqual([deposit])
    expect(read([native(OTHER, 9n)])).toEqual([])
    expect(read([native(DEPOSITORY, 9n)], { failure: 'The call failed.' })).toEqual([])
  })

  it('of a token is what arrived, under the order of the event behind it', () => {
    const logs = [transfer(TOKEN, USER, DEPOSITORY, 9n), announced(DEPOSITORY, TOKEN, 10n)]
    expect(read(logs)).toEqual([{ ...found, orderId: `0x${ID}`, depositor: addressOf(OTHER) }])
  })

  it('has no order where the event is of less than arrived, of another token, of another contract, or names none', () => {
    const arrival = transfer(TOKEN, USER, DEPOSITORY, 9n)
    for (const log of [announced(DEPOSITORY, TOKEN, 8n), announced(DEPOSITORY, OTHER, 9n), announced(OTHER, TOKEN, 9n)])
      expect(read([arrival, log])).toEqual([{ ...found, orderId: null }])
    expect(read([arrival, announced(DEPOSITORY, TOKEN, 9n, '0'.repeat(64))])).toMatchObject([{ orderId: null }])
  })

  it('is none of its own transfers, and none without an event', () => {
    expect(read([transfer(TOKEN, DEPOSITORY, DEPOSITORY, 9n), transfer(TOKEN, USER, OTHER, 9n)])).toEqual([])
    expect(read([announced(DEPOSITORY, TOKEN, 9n)])).toEqual([])
  })
})

describe('a bare transfer with an id behind it', () => {
  const arrival = transfer(TOKEN, USER, DEPOSITORY, 9n)
  const bare = { to: TOKEN, data: BARE + ID }

  it('names its order, where less arrived too', () => {
    expect(read([arrival], bare)).toEqual([{ ...found, orderId: `0x${ID}` }])
    expect(read([transfer(TOKEN, USER, DEPOSITORY, 8n)], bare)).toMatchObject([{ orderId: `0x${ID}` }])
    const from = `23b872dd${addressWord(addressOf(OTHER))}${BARE.slice(8)}${ID}`
    expect(read([transfer(TOKEN, OTHER, DEPOSITORY, 9n)], { to: TOKEN, data: from })).toMatchObject([
      { orderId: `0x${ID}`, depositor: addressOf(OTHER) },
    ])
  })

  it.each([
    ['the outermost call is another', { to: OTHER, data: BARE + ID }],
    ['the call is of another function', { to: TOKEN, data: `deadbeef${BARE.slice(8)}${ID}` }],
    ['the call is inside of other bytes', { to: TOKEN, data: `deadbeef${BARE}${ID}` }],
    ['the recipient of the call is another', { to: TOKEN, data: BARE.replaceAll('d', '2') + ID }],
    ['less was asked than arrived', { to: TOKEN, data: `${BARE.slice(0, -1)}8${ID}` }],
    ['the id is short', { to: TOKEN, data: BARE + ID.slice(2) }],
    ['more follows the id', { to: TOKEN, data: `${BARE}${ID}00` }],
    ['the id is padding', { to: TOKEN, data: `${BARE}${'5a'.padStart(64, '0')}` }],
  ])('names none where %s', (_, more) => expect(read([arrival], more)).toMatchObject([{ orderId: null }]))

  it('names none where the transaction has two transfers to the depository', () => {
    const two = read([arrival, transfer(OTHER, USER, DEPOSITORY, 1n)], bare)
    expect(two.map(({ orderId, position, index }) => [orderId, position, index])).toEqual([
      [null, 0, 4],
      [null, 1, 5],
    ])
  })
})

it('addresses of the test are well-formed', () => expect(accountOf(addressOf(USER))).toBe(USER))
