import { eventTopics } from '@causeway/contracts-abi'
import { type Payout, PERMIT_KINDS, type PermitKind } from '@causeway/core/chain'
import { expect, test } from 'vitest'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { addressTopic } from '../deposit/recognise.js'
import { receiverOf } from '../payout/contracts/permitRouter.js'
import { words } from '../payout/contracts/staticCall.js'
import type { RpcLog, RpcReceipt } from '../rpc/wire.js'
import { paidBy, takenBy } from './paidAmount.js'

const at = (digits: string) => `0x${digits.repeat(20)}` as const
const [DEPOSITORY, ROUTER, TOKEN, OWNER, LANE, STRANGER] = ['56', '78', '34', '12', '9a', 'ee'].map(at) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const ORDER_ID = `0x${'ab'.repeat(32)}` as const

const CONTRACTS: Contracts = {
  chainId: 8453,
  depository: DEPOSITORY,
  fillRouter: null,
  depositAddressFactory: null,
  formerDepositAddressFactories: [],
  permits: { router: ROUTER, permit2: STRANGER },
  directCallTargets: new Set<string>(),
  swap: null,
  recipientGasLimit: 500_000n,
}

const origin = (kind: PermitKind): Payout & { readonly permit: NonNullable<Payout['permit']> } => {
  const money = { currency: TOKEN, amount: 5n }
  const terms = { kind, owner: OWNER, money, orderId: ORDER_ID, expiresAt: 2_000_000_000 }
  const sign = { signatureKind: 'eip712', domain: {}, types: {}, primaryType: '', value: {} } as const
  const permit = { terms, sign, signature: '0x' } as const
  return { purpose: 'origin', orderId: ORDER_ID, from: LANE, to: { address: DEPOSITORY }, money, calls: [], permit }
}

/** Token, from, to, amount. */
type Move = readonly [string, string, string, bigint]

const receipt = (...moves: readonly Move[]): RpcReceipt => ({
  transactionHash: '0x2',
  blockHash: '0x1',
  blockNumber: '0x1',
  status: '0x1',
  gasUsed: '0x1',
  from: LANE,
  to: ROUTER,
  logs: moves.map(
    ([address, from, to, amount]): RpcLog => ({
      address,
      topics: [eventTopics.transfer, addressTopic(from), addressTopic(to)],
      data: words(amount),
      blockNumber: '0x1',
      blockHash: '0x1',
      transactionHash: '0x2',
      logIndex: '0x0',
    }),
  ),
})

test.each(PERMIT_KINDS)(
  '%s: what came of the owner, straight or through our contracts, was brought in; nothing else',
  (kind) => {
    const payout = origin(kind)
    const paid = (...moves: readonly Move[]) => paidBy(receipt(...moves), payout, null, CONTRACTS)
    const receiver = receiverOf(payout.permit.terms, ROUTER)
    for (const source of [OWNER, ROUTER, receiver]) expect(paid([TOKEN, source, DEPOSITORY, 5n])).toBe(5n)
    expect(paid([TOKEN, OWNER, ROUTER, 5n], [TOKEN, ROUTER, DEPOSITORY, 4n], [TOKEN, STRANGER, DEPOSITORY, 9n])).toBe(
      4n,
    )
    expect(paid([STRANGER, ROUTER, DEPOSITORY, 5n])).toBe(0n)
    expect(paid([TOKEN, OWNER, ROUTER, 5n])).toBe(0n)
    expect(paid()).toBe(0n)
  },
)

test('of a call for a user no amount can be told, and none of the lane is ever taken', () => {
  const { permit: _, ...payout } = origin('eip3009')
  const money = { currency: ZERO_ADDRESS, amount: 0n }
  const called: Payout = { ...payout, money, call: { to: TOKEN, data: '0x12', value: 0n } }
  const moved = receipt([TOKEN, LANE, STRANGER, 5n])
  expect(paidBy(moved, called, null, CONTRACTS)).toBeNull()
  for (const each of [called, origin('eip3009')]) expect(takenBy(moved, each)).toEqual({})
})
