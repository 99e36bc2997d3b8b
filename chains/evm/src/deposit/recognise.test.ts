import { readFileSync } from 'node:fs'
import { eventTopics } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { encodeAbiParameters, parseAbiParameters } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { SINGLE_STRAYS } from '../read/watch/strays.js'
import type { RpcLog, RpcReceipt, RpcTransaction } from '../rpc/wire.js'
import { addressTopic, recogniseDeposits } from './recognise.js'

const DEPOSITORY = `0x${'de'.repeat(20)}`
const SENDER = `0x${'5e'.repeat(20)}` as const
const WORTHLESS = `0x${'bb'.repeat(20)}`
const TOKEN = `0x${'70'.repeat(20)}` as const
const ORDER: Hex = `0x${'0d'.repeat(32)}`
const BLOCK = { height: 9n, hash: `0x${'b1'.repeat(32)}`, time: 1_700_000_000 }
const MANY = 10_000

type Written = Pick<RpcLog, 'address' | 'topics' | 'data'>

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

const arrival = (token: string, amount: bigint, from: string = SENDER): Written => ({
  address: token,
  topics: [eventTopics.transfer, addressTopic(from), addressTopic(DEPOSITORY)],
  data: word(amount),
})

const announced = (token: Hex, amount: bigint, id: Hex): Written => ({
  address: DEPOSITORY,
  topics: [eventTopics.relayErc20Deposit],
  data: encodeAbiParameters(parseAbiParameters('address, address, uint256, bytes32'), [SENDER, token, amount, id]),
})

const native = (amount: bigint, id: Hex): Written => ({
  address: DEPOSITORY,
  topics: [eventTopics.relayNativeDeposit],
  data: encodeAbiParameters(parseAbiParameters('address, uint256, bytes32'), [SENDER, amount, id]),
})

const many = (one: (at: number) => Written): Written[] => Array.from({ length: MANY }, (_, at) => one(at))

const TX: RpcTransaction = { hash: ORDER, from: SENDER, to: WORTHLESS, nonce: '0x0', input: '0x', value: '0x0' }

const recognise = (written: readonly Written[], input: Hex = '0x') => {
  const logs = written.map(
    (log, at): RpcLog => ({
      ...log,
      blockNumber: '0x9',
      blockHash: `0x${'b1'.repeat(32)}`,
      transactionHash: ORDER,
      logIndex: `0x${at.toString(16)}`,
    }),
  )
  const receipt: RpcReceipt = {
    transactionHash: ORDER,
    blockHash: `0x${'b1'.repeat(32)}`,
    blockNumber: '0x9',
    status: '0x1',
    gasUsed: '0x1',
    from: SENDER,
    to: WORTHLESS,
    logs,
  }
  return recogniseDeposits(receipt, { ...TX, input }, DEPOSITORY, BLOCK)
}

const sumOf = (deposits: ReturnType<typeof recognise>): bigint =>
  deposits.reduce((sum, { money }) => sum + money.amount, 0n)

describe('F132: a transaction with ten thousand transfers to the depository', () => {
  it('is read in time that grows with its logs and not with their square', () => {
    const startedAt = process.cpuUsage()
    recognise([...many(() => arrival(WORTHLESS, 1n)), ...many(() => native(1n, ORDER))])
    // Comparing each with each took a hundred times as long.
    // Microseconds of a processor: others may have it in between.
    expect(process.cpuUsage(startedAt).user).toBeLessThan(5_000_000)
  })

  it('makes twenty deposits of its strays and one of all the others, and loses no unit of them', () => {
    const deposits = recognise(many((at) => arrival(WORTHLESS, BigInt(at + 1))))
    expect(deposits).toHaveLength(SINGLE_STRAYS + 1)
    expect(deposits.map(({ position }) => position)).toEqual(deposits.map((_, at) => at))
    expect(sumOf(deposits)).toBe((BigInt(MANY) * BigInt(MANY + 1)) / 2n)
    expect(deposits.at(-1)).toMatchObject({ orderId: null, depositor: SENDER, index: SINGLE_STRAYS })
  })

  it('credits what it sums up to its sender where the depositors differ', () => {
    const deposits = recognise(
      many((at) => arrival(WORTHLESS, 1n, word(BigInt(at + 1)).slice(0, 2) + word(BigInt(at + 1)).slice(-40))),
    )
    expect(deposits.at(0)?.depositor).toBe(`0x${'1'.padStart(40, '0')}`)
    expect(deposits.at(-1)?.depositor).toBe(SENDER)
  })

  it('keeps each currency apart, and every deposit with an order id as it is, wherever it stands', () => {
    const flood = many(() => arrival(WORTHLESS, 1n))
    const deposits = recognise([
      ...flood.slice(0, 500),
      arrival(TOKEN, 70n),
      announced(TOKEN, 70n, ORDER),
      ...flood.slice(500),
      native(80n, ORDER),
      arrival(TOKEN, 5n),
      native(90n, ORDER),
    ])
    expect(deposits.filter(({ orderId }) => orderId === ORDER).map(({ money }) => money)).toEqual([
      { currency: TOKEN, amount: 70n },
      { currency: ZERO_ADDRESS, amount: 80n },
      { currency: ZERO_ADDRESS, amount: 90n },
    ])
    const strays = deposits.filter(({ orderId }) => orderId === null)
    expect(sumOf(strays.filter(({ money }) => money.currency === WORTHLESS))).toBe(BigInt(MANY))
    expect(strays.filter(({ money }) => money.currency === TOKEN)).toHaveLength(1)
  })

  it('never makes an amount that cannot be stored', () => {
    const largest = 2n ** 256n - 1n
    const deposits = recognise(many(() => arrival(WORTHLESS, largest)))
    expect(deposits.every(({ money }) => money.amount === largest)).toBe(true)
  })

  it('leaves as many strays as twenty single', () => {
    const deposits = recognise(many(() => arrival(WORTHLESS, 3n)).slice(0, SINGLE_STRAYS))
    expect(deposits.map(({ money }) => money.amount)).toEqual(Array.from({ length: SINGLE_STRAYS }, () => 3n))
  })
})

it('a transfer is announced by the first event of its own token before the next transfer, and by no other', () => {
  const other: Hex = `0x${'0e'.repeat(32)}`
  const third: Hex = `0x${'0f'.repeat(32)}`
  const deposits = recognise([
    announced(TOKEN, 1n, third),
    arrival(TOKEN, 1n),
    announced(SENDER, 1n, third),
    announced(TOKEN, 1n, ORDER),
    announced(TOKEN, 1n, third),
    arrival(TOKEN, 2n),
    arrival(TOKEN, 3n),
    announced(TOKEN, 3n, other),
  ])
  expect(deposits.map(({ orderId, money }) => [money.amount, orderId])).toEqual([
    [1n, ORDER],
    [2n, null],
    [3n, other],
  ])
})

describe('a deposit that a contract brings in for an account it names', () => {
  const ROUTER = `0x${'70'.repeat(19)}a1`
  const passed = (amount: bigint, from: string = SENDER, token: string = TOKEN): Written => ({
    address: token,
    topics: [eventTopics.transfer, addressTopic(from), addressTopic(ROUTER)],
    data: word(amount),
  })
  const brought = (amount: bigint) => [arrival(TOKEN, amount, ROUTER), announced(TOKEN, amount, ORDER)]

  it("was that account's money, where the account sent the contract as much of it before", () => {
    for (const sent of [5n, 7n]) {
      expect(recognise([passed(sent), ...brought(5n)])).toMatchObject([
        { depositor: SENDER, source: SENDER, senders: [SENDER, SENDER] },
      ])
    }
  })

  it("was the contract's own, where the account sent less, something else, or nothing", () => {
    const others = [[passed(4n)], [passed(5n, `0x${'99'.repeat(20)}`)], [passed(5n, SENDER, WORTHLESS)], []]
    for (const logs of others) {
      expect(recognise([...logs, ...brought(5n)])).toMatchObject([{ depositor: SENDER, source: ROUTER }])
    }
  })

  it('counts a transfer once', () => {
    expect(recognise([passed(5n), ...brought(5n), ...brought(5n)])).toMatchObject([
      { source: SENDER },
      { source: ROUTER },
    ])
  })

  it('is read in time that grows with the logs', () => {
    const startedAt = process.cpuUsage()
    recognise([
      ...many(() => passed(1n)),
      ...many(() => arrival(TOKEN, 1n, ROUTER)).flatMap((log) => [log, announced(TOKEN, 1n, ORDER)]),
    ])
    expect(process.cpuUsage(startedAt).user).toBeLessThan(5_000_000)
  })
})

describe('moves of native currency that are logged as transfers', () => {
  const { log } = JSON.parse(readFileSync(new URL('./fixtures/eip7708.json', import.meta.url), 'utf8')) as {
    readonly log: { readonly address: string; readonly topics: readonly [Hex, ...string[]] }
  }

  it.each([
    ['EIP-7708', log.address],
    ['the zkSync stack', '0x000000000000000000000000000000000000800A'],
  ])('by %s are no deposit, and leave the id of a token transfer alone', (_, logger) => {
    expect(log.topics[0]).toBe(eventTopics.transfer)
    expect(recognise([arrival(logger, 80n), native(80n, ORDER)])).toMatchObject([
      { position: 0, orderId: ORDER, money: { currency: ZERO_ADDRESS, amount: 80n } },
    ])
    const input: Hex = `0xa9059cbb${addressTopic(DEPOSITORY).slice(2)}${word(70n).slice(2)}${ORDER.slice(2)}`
    expect(recognise([arrival(logger, 5n), arrival(TOKEN, 70n)], input)).toMatchObject([
      { position: 0, orderId: ORDER, money: { currency: TOKEN, amount: 70n } },
    ])
  })
})

describe('F154: an announcement of less than arrived', () => {
  const other: Hex = `0x${'0e'.repeat(32)}`
  const boundTo = (...written: readonly Written[]) =>
    recognise(written).map(({ orderId, money }) => [orderId, money.amount])

  it.each([0n, 1n, 69n])('of %d of another’s 70 binds nothing of them', (amount) => {
    expect(boundTo(arrival(TOKEN, 70n), announced(TOKEN, amount, ORDER))).toEqual([[null, 70n]])
  })

  it('leaves the transfer to the announcement of all of it that follows', () => {
    const logs = [arrival(TOKEN, 70n), announced(TOKEN, 0n, other), announced(TOKEN, 70n, ORDER)]
    expect(boundTo(...logs)).toEqual([[ORDER, 70n]])
  })

  it('binds a transfer of nothing of its own, and no other', () => {
    const logs = [arrival(TOKEN, 70n), arrival(TOKEN, 0n, WORTHLESS), announced(TOKEN, 0n, ORDER)]
    expect(boundTo(...logs)).toEqual([[null, 70n]])
  })

  it('of more binds what arrived: a token may keep a part of each transfer', () => {
    expect(boundTo(arrival(TOKEN, 69n), announced(TOKEN, 70n, ORDER))).toEqual([[ORDER, 69n]])
  })
})
