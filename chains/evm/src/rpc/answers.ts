import type { Hex } from '@causeway/core'
import { type AnswerReader, answerOf, answersByMethod, strangeAnswer } from '@causeway/core/chain-kit'
import { type TSchema, Type } from '@sinclair/typebox'
import { minedReceipt } from './receipts.js'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from './wire.js'

/**
 * Readers of what nodes answer, by method: what does not fit is the node's failure, and another node is asked (faults.md F161). They
 * check no more than the members that this package reads.
 */

const hexText = (pattern: string) => Type.Unsafe<Hex>(Type.String({ pattern }))

const hash = hexText('^0x[0-9a-fA-F]{64}$')
const bytes = hexText('^0x(?:[0-9a-fA-F]{2})*$')
const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
/** Wei, gas: up to 256 bits. */
const quantity = hexText('^0x[0-9a-fA-F]{1,64}$')
/** Heights, times, nonces and places: what a JavaScript number holds exactly. */
const count = hexText('^0x0*[0-9a-fA-F]{1,13}$')

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const transaction = Type.Object({
  hash,
  from: address,
  to: nullable(address),
  nonce: count,
  input: bytes,
  value: quantity,
  gas: Type.Optional(quantity),
  gasPrice: Type.Optional(quantity),
  maxFeePerGas: Type.Optional(quantity),
  maxPriorityFeePerGas: Type.Optional(quantity),
  blockNumber: Type.Optional(nullable(count)),
  blockHash: Type.Optional(nullable(hash)),
})

const header = {
  number: count,
  hash,
  timestamp: count,
  baseFeePerGas: Type.Optional(quantity),
}

const block = Type.Object({ ...header, parentHash: hash, transactions: Type.Optional(Type.Array(hash)) })

const fullBlock = Type.Object({ ...header, parentHash: hash, transactions: Type.Array(transaction) })

/** A block that is not there yet has neither number nor hash. */
const pendingBlock = Type.Object({ transactions: Type.Array(transaction) })

const log = Type.Object({
  address,
  topics: Type.Array(hash),
  data: bytes,
  blockNumber: count,
  blockHash: hash,
  transactionHash: hash,
  logIndex: count,
  removed: Type.Optional(Type.Boolean()),
})

const receipt = Type.Object({
  transactionHash: hash,
  blockHash: Type.Optional(hash),
  blockNumber: Type.Optional(count),
  status: Type.Optional(quantity),
  gasUsed: quantity,
  effectiveGasPrice: Type.Optional(quantity),
  l1Fee: Type.Optional(quantity),
  operatorFeeScalar: Type.Optional(quantity),
  operatorFeeConstant: Type.Optional(quantity),
  daFootprintGasScalar: Type.Optional(quantity),
  from: address,
  to: nullable(address),
  logs: Type.Optional(Type.Array(log)),
})

const readBlock: AnswerReader<RpcBlock> = answerOf(block)
const readFullBlock: AnswerReader<RpcBlock> = answerOf(fullBlock)
const readPendingBlock = answerOf(nullable(pendingBlock))
const readTransaction: AnswerReader<RpcTransaction> = answerOf(transaction)
const readLogs: AnswerReader<readonly RpcLog[]> = answerOf(Type.Array(log))
const readRawReceipt = answerOf(receipt)
const readHash = answerOf(hash)
const readBytes = answerOf(bytes)
const readQuantity = answerOf(quantity)
const readCount = answerOf(count)

/** Reads a header that a subscription brought. @throws ServiceError RPC_HTTP_ERROR for what is none */
export const readHeader: AnswerReader<Pick<RpcBlock, 'number' | 'hash' | 'timestamp' | 'baseFeePerGas'>> = answerOf(
  Type.Object(header),
)

/** Reads a log that a subscription brought. @throws ServiceError RPC_HTTP_ERROR for what is none */
export const readPushedLog: AnswerReader<{ readonly blockNumber: Hex | null; readonly removed?: boolean }> = answerOf(
  Type.Object({ blockNumber: nullable(count), removed: Type.Optional(Type.Boolean()) }),
)

const orNull =
  <T>(read: AnswerReader<T>): AnswerReader<T | null> =>
  (answer) =>
    answer === null || answer === undefined ? null : read(answer)

/** A height in a call or an answer, as against a tag such as `latest`. */
const HEIGHT = /^0x[0-9a-fA-F]{1,16}$/

const isSame = (found: string, asked: unknown): boolean =>
  typeof asked !== 'string' || found.toLowerCase() === asked.toLowerCase()

/** Whether a height is the one that was asked for; any one is where a tag was. */
const isHeight = (found: string, asked: unknown): boolean =>
  typeof asked !== 'string' || !HEIGHT.test(asked) || BigInt(found) === BigInt(asked)

/** Returns the answer if it is about the thing that was asked for; throws otherwise. */
const asAsked = <T>(found: T, isAsked: (found: NonNullable<T>) => boolean): T => {
  if (found !== null && found !== undefined && !isAsked(found))
    throw strangeAnswer('another thing than the one asked for')
  return found
}

/** Some nodes answer null where a filter finds no log. */
const readLogList = (answer: unknown, [filter]: readonly unknown[]): readonly RpcLog[] => {
  const logs = answer === null ? [] : readLogs(answer)
  const [from, to]: unknown[] = ['fromBlock', 'toBlock'].map((name) => Reflect.get(Object(filter), name))
  if (typeof from !== 'string' || typeof to !== 'string' || !HEIGHT.test(from) || !HEIGHT.test(to)) return logs
  const [first, last] = [BigInt(from), BigInt(to)]
  return asAsked(logs, (found) =>
    found.every(({ blockNumber }) => BigInt(blockNumber) >= first && BigInt(blockNumber) <= last),
  )
}

/** Null for a receipt without a block: the transaction is pending. */
const readReceipt: AnswerReader<RpcReceipt | null> = (answer) => {
  if (answer === null || (typeof answer === 'object' && 'blockHash' in answer && answer.blockHash === null)) return null
  return minedReceipt(readRawReceipt(answer))
}

const readReceiptList = (answer: unknown, [at]: readonly unknown[]): readonly RpcReceipt[] | null => {
  if (answer === null) return null
  if (!Array.isArray(answer)) throw strangeAnswer('no list of receipts')
  const receipts = answer.map((item) => readReceipt(item) ?? missingBlock())
  return asAsked(receipts, (found) => found.every(({ blockNumber }) => isHeight(blockNumber, at)))
}

const missingBlock = (): never => {
  throw strangeAnswer('a receipt of a block that names no block')
}

/** There is always a newest block; one at a height or with a hash may not be known. */
const readBlockAt = (answer: unknown, [at, isFull]: readonly unknown[]): RpcBlock | unknown => {
  if (at === 'pending') return readPendingBlock(answer)
  const read = isFull === true ? readFullBlock : readBlock
  return at === 'latest' ? read(answer) : asAsked(orNull(read)(answer), ({ number }) => isHeight(number, at))
}

const readBlockWith = (answer: unknown, [hash, isFull]: readonly unknown[]): RpcBlock | null =>
  asAsked(orNull(isFull === true ? readFullBlock : readBlock)(answer), (found) => isSame(found.hash, hash))

/** Calls of a trace that are read, and how deep one may lie: more than the chain allows is no trace. */
const MAX_FRAMES = 100_000
const MAX_DEPTH = 1100

const text = Type.Optional(Type.String())

const frame = answerOf(
  Type.Object({
    type: Type.String(),
    from: Type.String(),
    to: text,
    value: Type.Optional(quantity),
    input: text,
    output: text,
    gasUsed: text,
    error: text,
    calls: Type.Optional(Type.Array(Type.Unknown())),
    logs: Type.Optional(Type.Array(Type.Object({ topics: Type.Optional(Type.Array(Type.String())), data: text }))),
  }),
)

/** A trace of `callTracer`, read without recursion. */
const readTrace = (answer: unknown): unknown => {
  const root = frame(answer)
  const waiting: { readonly calls: unknown[]; readonly depth: number }[] = [{ calls: root.calls ?? [], depth: 1 }]
  let frames = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    frames += next.calls.length
    if (frames > MAX_FRAMES || next.depth > MAX_DEPTH) throw strangeAnswer('a trace that is too long')
    for (const [at, call] of next.calls.entries()) {
      const read = frame(call)
      next.calls[at] = read
      if (read.calls !== undefined) waiting.push({ calls: read.calls, depth: next.depth + 1 })
    }
  }
  return root
}

const readSimulated = answerOf(
  Type.Array(
    Type.Object({
      calls: Type.Optional(
        Type.Array(
          Type.Object({
            logs: Type.Optional(
              Type.Array(Type.Object({ topics: Type.Optional(Type.Array(Type.String())), data: text })),
            ),
          }),
        ),
      ),
    }),
  ),
)

const READERS: Readonly<Record<string, (answer: unknown, params: readonly unknown[]) => unknown>> = {
  debug_traceCall: readTrace,
  debug_traceTransaction: readTrace,
  eth_blockNumber: readCount,
  eth_call: readBytes,
  eth_chainId: answerOf(
    Type.Union([
      Type.String({ pattern: '^(0x[0-9a-fA-F]{1,13}|[0-9]{1,15})$' }),
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ]),
  ),
  eth_estimateGas: readCount,
  eth_gasPrice: readQuantity,
  eth_getBalance: readQuantity,
  eth_getBlockByHash: readBlockWith,
  eth_getBlockByNumber: readBlockAt,
  eth_getBlockReceipts: readReceiptList,
  eth_getCode: readBytes,
  eth_getLogs: readLogList,
  eth_getTransactionByHash: (answer, [hash]) =>
    asAsked(orNull(readTransaction)(answer), (found) => isSame(found.hash, hash)),
  eth_getTransactionCount: readCount,
  eth_getTransactionReceipt: (answer, [hash]) =>
    asAsked(readReceipt(answer), (found) => isSame(found.transactionHash, hash)),
  eth_maxPriorityFeePerGas: readQuantity,
  eth_sendRawTransaction: readHash,
  eth_simulateV1: readSimulated,
}

/** Methods whose answers can be read. */
export const readMethods: readonly string[] = Object.keys(READERS)

/** An answer of a node to a call, checked. @throws ServiceError RPC_HTTP_ERROR for one that does not fit it */
export const readAnswer = answersByMethod(READERS)

/** The number that a call of a contract answered. @throws ServiceError RPC_HTTP_ERROR where that is no word */
export const wordOf = (result: unknown): bigint => {
  if (typeof result !== 'string' || result.length < 66) throw strangeAnswer('a call that answers no word')
  return BigInt(result.slice(0, 66))
}
