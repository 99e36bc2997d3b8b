import { eventTopics } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { RpcCall } from '@causeway/core/chain-kit'
import { readMutated } from '@causeway/core/testing'
import fc from 'fast-check'
import { addressTopic, recogniseDeposits } from '../deposit/recognise.js'
import { tokenArrivals } from '../depositAddress/readArrivals.js'
import { failedPath, logsOf, type TracedCall } from '../payout/failure/callTrace.js'
import { type CallFrame, moved } from '../read/accountGain.js'
import { hitsOf } from '../read/watch/logReader.js'
import { readAnswer, readHeader, readMethods, readPushedLog, wordOf } from './answers.js'
import { type Head, headOf } from './headSource.js'
import { feeOf } from './receipts.js'
import { type RpcBlock, type RpcLog, type RpcReceipt, type RpcTransaction, txDataOf } from './wire.js'

const DEPOSITORY = `0x${'de'.repeat(20)}`
const SENDER = `0x${'5e'.repeat(20)}`
const HASH: Hex = `0x${'ab'.repeat(32)}`
const word = (value: bigint): string => value.toString(16).padStart(64, '0')

export const transactionAnswer = {
  hash: HASH,
  from: SENDER,
  to: DEPOSITORY,
  nonce: '0x7',
  input: '0x1234',
  value: '0x5',
  gas: '0x5208',
  maxFeePerGas: '0x9',
  blockNumber: '0x9',
  blockHash: HASH,
}

const log = (topics: readonly string[], data: string) => ({
  address: DEPOSITORY,
  topics,
  data,
  blockNumber: '0x9',
  blockHash: HASH,
  transactionHash: HASH,
  logIndex: '0x0',
  removed: false,
})

const logAnswers = [
  log([eventTopics.relayNativeDeposit], `0x${word(1n)}${word(2n)}${word(3n)}`),
  log([eventTopics.transfer, addressTopic(SENDER), addressTopic(DEPOSITORY)], `0x${word(9n)}`),
  log([eventTopics.relayErc20Deposit], `0x${word(1n)}${word(2n)}${word(3n)}${word(4n)}`),
]

export const receiptAnswer = {
  transactionHash: HASH,
  blockHash: HASH,
  blockNumber: '0x9',
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x2',
  l1Fee: '0x1',
  from: SENDER,
  to: DEPOSITORY,
  logs: logAnswers,
}

export const blockAnswer = {
  number: '0x9',
  hash: HASH,
  parentHash: HASH,
  timestamp: '0x65f00000',
  baseFeePerGas: '0x7',
  transactions: [HASH],
}

const fullBlock = { ...blockAnswer, transactions: [transactionAnswer] }

const frame = { type: 'CALL', from: SENDER, to: DEPOSITORY, value: '0x1', input: '0x', output: '0x', gasUsed: '0x1' }
const trace = { ...frame, error: 'execution reverted', logs: [{ topics: [HASH], data: '0x' }], calls: [frame, frame] }

interface Sample {
  readonly params?: readonly unknown[]
  readonly answer: unknown
  /** Uses what was read as the adapter does. */
  use(read: unknown): void
}

const asNumber = (read: unknown) => void BigInt(String(read))
const useBlock = (read: unknown) => {
  if (read !== null) headOf(read as RpcBlock)
}
const useFullBlock = (read: unknown) => {
  if (read === null) return
  useBlock(read)
  for (const tx of (read as { readonly transactions: readonly RpcTransaction[] }).transactions) txDataOf(tx)
}
const BLOCK: Head = { height: 9n, hash: HASH, time: 1, baseFee: null }
const useReceipt = (read: unknown) => {
  if (read === null) return
  const receipt = read as RpcReceipt
  feeOf(receipt, null)
  recogniseDeposits(receipt, transactionAnswer as unknown as RpcTransaction, DEPOSITORY, BLOCK)
}
const LIVE = { has: () => true, refresh: async () => undefined }

/** An answer of each method as a node gives it, and what is made of it. */
export const samples: Readonly<Record<string, readonly Sample[]>> = {
  debug_traceCall: [
    {
      answer: trace,
      use: (read) => {
        failedPath(read as TracedCall)
        logsOf(read as TracedCall)
        moved(read as CallFrame, SENDER)
      },
    },
  ],
  debug_traceTransaction: [{ answer: trace, use: (read) => void moved(read as CallFrame, SENDER) }],
  eth_blockNumber: [{ answer: '0x9', use: asNumber }],
  eth_call: [{ answer: `0x${word(7n)}`, use: wordOf }],
  eth_chainId: [{ answer: '0x1', use: asNumber }],
  eth_estimateGas: [{ answer: '0x5208', use: asNumber }],
  eth_gasPrice: [{ answer: '0x1', use: asNumber }],
  eth_getBalance: [{ answer: '0x1', use: asNumber }],
  eth_getBlockByHash: [{ params: [HASH, false], answer: blockAnswer, use: useBlock }],
  eth_getBlockByNumber: [
    { params: ['latest', false], answer: blockAnswer, use: useBlock },
    { params: ['0x9', false], answer: blockAnswer, use: useBlock },
    { params: ['0x9', true], answer: fullBlock, use: useFullBlock },
    {
      params: ['pending', true],
      answer: { ...fullBlock, number: null, hash: null },
      use: (read) => {
        for (const tx of (read as RpcBlock | null)?.transactions ?? []) txDataOf(tx as RpcTransaction)
      },
    },
  ],
  eth_getBlockReceipts: [
    { answer: [receiptAnswer], use: (read) => ((read as readonly RpcReceipt[] | null) ?? []).forEach(useReceipt) },
  ],
  eth_getCode: [{ answer: '0x60', use: () => undefined }],
  eth_getLogs: [
    {
      answer: logAnswers,
      use: (read) => {
        hitsOf(read as readonly RpcLog[])
        tokenArrivals(read as readonly RpcLog[], new Map([[9n, BLOCK]]), LIVE as never)
      },
    },
  ],
  eth_getTransactionByHash: [
    { answer: transactionAnswer, use: (read) => void (read === null || txDataOf(read as RpcTransaction)) },
  ],
  eth_getTransactionCount: [{ answer: '0x7', use: asNumber }],
  eth_getTransactionReceipt: [{ answer: receiptAnswer, use: useReceipt }],
  eth_maxPriorityFeePerGas: [{ answer: '0x1', use: asNumber }],
  eth_sendRawTransaction: [{ answer: HASH, use: () => undefined }],
  eth_simulateV1: [{ answer: [{ calls: [{ logs: [{ topics: [HASH], data: '0x' }] }] }], use: () => undefined }],
}

const pushes: readonly (readonly [(message: unknown) => unknown, unknown])[] = [
  [(message) => headOf(readHeader(message)), blockAnswer],
  [(message) => BigInt(readPushedLog(message).blockNumber ?? 0), logAnswers[0]],
]

/** Requires that each answer and push of a node is read, or is the node's failure. */
export const checkReaders = (numRuns: number): void => {
  const work = [
    ...readMethods.flatMap((method) =>
      (samples[method] ?? []).map(({ params = [], answer, use }) => {
        const call: RpcCall = { method, params }
        return [(value: unknown) => use(readAnswer(value, call)), answer] as const
      }),
    ),
    ...pushes,
  ]
  const property = fc.property(fc.gen(), fc.nat({ max: work.length - 1 }), (gen, at) => {
    const [read, answer] = work[at] as (typeof work)[number]
    const chance = { below: (count: number) => gen(fc.nat, { max: count - 1 }), anything: () => gen(fc.jsonValue) }
    readMutated({ answer, read }, chance)
  })
  fc.assert(property, { numRuns })
}
