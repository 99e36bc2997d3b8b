import { eventTopics } from '@causeway/contracts-abi'
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { addressTopic } from '../deposit/recognise.js'
import { words } from '../payout/contracts/staticCall.js'
import type { RpcLog, RpcReceipt } from '../rpc/wire.js'
import { sweptBy } from './paidAmount.js'

const DEPOSITORY = `0x${'56'.repeat(20)}`
const TOKEN = `0x${'34'.repeat(20)}`
const ADDRESS = `0x${'12'.repeat(20)}`
const STRANGER = `0x${'9a'.repeat(20)}`
const ORDER_ID = `0x${'ab'.repeat(32)}` as const
const OTHER_ID = `0x${'cd'.repeat(32)}` as const

const log = (address: string, topics: RpcLog['topics'], data: RpcLog['data']): RpcLog => ({
  address,
  topics,
  data,
  blockNumber: '0x1',
  blockHash: '0x1',
  transactionHash: '0x2',
  logIndex: '0x0',
})

const transfer = (token: string, from: string, to: string, amount: bigint): RpcLog =>
  log(token, [eventTopics.transfer, addressTopic(from), addressTopic(to)], words(amount))

const nativeDeposit = (of: string, amount: bigint, id: `0x${string}`): RpcLog => {
  const form = parseAbiParameters('address from, uint256 amount, bytes32 id')
  const data = encodeAbiParameters(form, [`0x${'de'.repeat(20)}`, amount, id])
  return log(of, [eventTopics.relayNativeDeposit], data)
}

const receipt = (...logs: readonly RpcLog[]): RpcReceipt => ({
  transactionHash: '0x2',
  blockHash: '0x1',
  blockNumber: '0x1',
  status: '0x1',
  gasUsed: '0x1',
  from: STRANGER,
  to: STRANGER,
  logs,
})

const swept = (currency: string, ...logs: readonly RpcLog[]): bigint =>
  sweptBy(receipt(...logs), { currency, orderId: ORDER_ID, from: ADDRESS }, { depository: DEPOSITORY })

test('of a token only what went from the address into the depository was swept', () => {
  expect(
    swept(
      TOKEN,
      transfer(TOKEN, ADDRESS, DEPOSITORY, 7n),
      transfer(TOKEN, ADDRESS, ZERO_ADDRESS, 1n),
      transfer(TOKEN, ADDRESS, STRANGER, 20n),
      transfer(TOKEN, STRANGER, DEPOSITORY, 300n),
      transfer(STRANGER, ADDRESS, DEPOSITORY, 4_000n),
    ),
  ).toBe(7n)
})

test('of the native currency only what the depository itself says came under the order id of the address was swept', () => {
  expect(
    swept(
      ZERO_ADDRESS,
      nativeDeposit(DEPOSITORY, 7n, ORDER_ID),
      nativeDeposit(DEPOSITORY, 20n, OTHER_ID),
      nativeDeposit(STRANGER, 300n, ORDER_ID),
    ),
  ).toBe(7n)
  expect(swept(ZERO_ADDRESS)).toBe(0n)
})
