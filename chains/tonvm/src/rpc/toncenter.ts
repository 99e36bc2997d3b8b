import { ServiceError } from '@causeway/core'
import type { BlockRef, BroadcastResult } from '@causeway/core/chain'
import { type AnswerReader, answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import type { TupleItem } from '@ton/core'
import { isLacking, sendResult } from './nodeErrors.js'
import {
  type AccountState,
  accountOf,
  base64OfHex,
  COMMITTED,
  COUNT,
  type CommittedTransaction,
  cellOf,
  chainedPage,
  committedOf,
  friendly,
  hexOfBase64,
  type MethodCall,
  SEQNO,
  type TonApi,
  type TransactionName,
} from './tonApi.js'
import { type Question, statusError, TonHttp } from './tonHttp.js'

const PATH = '/api/v2/jsonRPC'
const MASTERCHAIN = { workchain: -1, shard: '-9223372036854775808' }
const PAGE_LIMIT = 100
const PAGE_OF_BLOCK = 256
const MOST_PAGES = 200
/** Blocks of shards that one masterchain block commits: a node that names more of them does not end. */
const MOST_SHARD_BLOCKS = 2000

const blockId = Type.Object({ seqno: SEQNO, root_hash: Type.String() })
const readInfo = answerOf(Type.Object({ last: blockId, init: Type.Object({ root_hash: Type.String() }) }))
const headerSchema = Type.Object({ id: blockId, gen_utime: Type.Integer({ minimum: 0 }) })
const readHeader = answerOf(headerSchema)
const stateSchema = Type.Object({
  balance: Type.Union([COUNT, Type.Integer()]),
  code: Type.Optional(Type.String()),
  data: Type.Optional(Type.String()),
  last_transaction_id: Type.Object({ lt: COUNT, hash: Type.String() }),
  state: Type.Union([Type.Literal('active'), Type.Literal('frozen'), Type.Literal('uninitialized')]),
})
const readState = answerOf(stateSchema)
const shardId = Type.Object({ workchain: Type.Integer(), shard: Type.String(), seqno: SEQNO })
const readShards = answerOf(Type.Object({ shards: Type.Array(shardId) }))
const readParents = answerOf(Type.Object({ prev_blocks: Type.Array(shardId) }))
const readCommitted = answerOf(Type.Object({ incomplete: Type.Boolean(), transactions: Type.Array(COMMITTED) }))
const readPage = answerOf(Type.Array(Type.Object({ data: Type.String() })))
const readRun = answerOf(Type.Object({ exit_code: Type.Integer(), stack: Type.Array(Type.Unknown()) }))
const readConfig = answerOf(Type.Object({ config: Type.Object({ bytes: Type.String() }) }))
const readFailure = answerOf(Type.Object({ error: Type.String() }))
const readNumber = answerOf(Type.Tuple([Type.Literal('num'), Type.String({ pattern: '^-?0x[0-9a-f]{1,64}$' })]))
const readCell = answerOf(
  Type.Tuple([Type.Union([Type.Literal('cell'), Type.Literal('slice')]), Type.Object({ bytes: Type.String() })]),
)

/** API v2 of toncenter over JSON-RPC (chains.md tonvm 4). */
export class Toncenter extends TonHttp implements TonApi {
  async newest(signal: AbortSignal) {
    const { last, init } = await this.ask(rpc('getMasterchainInfo', {}), readInfo, signal)
    const header = await this.ask(rpc('getBlockHeader', { ...MASTERCHAIN, seqno: last.seqno }), readHeader, signal)
    return { ...blockOf(header), genesis: hexOfBase64(init.root_hash) }
  }

  async block(height: bigint, signal: AbortSignal): Promise<BlockRef | null> {
    const header = await this.find(rpc('getBlockHeader', { ...MASTERCHAIN, seqno: Number(height) }), readHeader, signal)
    if (header === null) return null
    const block = blockOf(header)
    if (block.height !== height) throw strangeAnswer('another block')
    return block
  }

  async account(address: string, height: bigint, signal: AbortSignal): Promise<AccountState | null> {
    const asked = { address: friendly(address), seqno: Number(height) }
    const found = await this.find(rpc('getAddressInformation', asked), readState, signal)
    return found && stateOf(found)
  }

  async transactions(address: string, from: TransactionName, signal: AbortSignal) {
    const asked = { address: friendly(address), lt: `${from.lt}`, hash: base64OfHex(from.hash), limit: PAGE_LIMIT }
    const recent = await this.find(rpc('getTransactions', asked), readPage, signal)
    const found =
      recent ?? (await this.find(rpc('getTransactions', { ...asked, archival: true }), readPage, signal)) ?? []
    return chainedPage(
      found.map(({ data }) => cellOf(data)),
      from,
    )
  }

  /** Reads the blocks of shards from those that the masterchain block names back to those of the masterchain block before it. */
  async committed(height: bigint, signal: AbortSignal): Promise<readonly CommittedTransaction[]> {
    const [waiting, before] = await Promise.all(
      [height, height - 1n].map(async (seqno) => {
        const { shards } = await this.ask(rpc('shards', { seqno: Number(seqno) }), readShards, signal)
        return shards.filter(({ workchain }) => workchain === 0)
      }),
    )
    const read = new Set((before ?? []).map(shardName))
    const found: CommittedTransaction[] = []
    for (const shard of waiting ?? []) {
      if (read.has(shardName(shard))) continue
      if (read.add(shardName(shard)).size > MOST_SHARD_BLOCKS) throw strangeAnswer('blocks of shards without an end')
      const [{ prev_blocks }, transactions] = await Promise.all([
        this.ask(rpc('getBlockHeader', shard), readParents, signal),
        this.#inShard(shard, signal),
      ])
      waiting?.push(...prev_blocks)
      found.push(...transactions)
    }
    return found
  }

  async #inShard(shard: Static<typeof shardId>, signal: AbortSignal): Promise<readonly CommittedTransaction[]> {
    const found: CommittedTransaction[] = []
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const last = found.at(-1)
      const after = last && { after_lt: `${last.lt}`, after_hash: last.address.slice(2) }
      const asked = { ...shard, count: PAGE_OF_BLOCK, ...after }
      const { incomplete, transactions } = await this.ask(rpc('getBlockTransactions', asked), readCommitted, signal)
      found.push(...transactions.map(committedOf))
      if (!incomplete) return found
    }
    throw strangeAnswer('a block without an end')
  }

  async run({ address, method, args, height }: MethodCall, signal: AbortSignal): Promise<readonly TupleItem[] | null> {
    const stack = args.map((cell) => ['tvm.Slice', cell.toBoc().toString('base64')])
    const asked = { address: friendly(address), method, stack, seqno: Number(height) }
    const { exit_code, stack: found } = await this.ask(rpc('runGetMethod', asked), readRun, signal)
    return exit_code === 0 || exit_code === 1 ? found.map(itemOf) : null
  }

  async config(signal: AbortSignal): Promise<string> {
    return (await this.ask(rpc('getConfigAll', {}), readConfig, signal)).config.bytes
  }

  async send(boc: Uint8Array, signal: AbortSignal): Promise<BroadcastResult> {
    const params = { boc: Buffer.from(boc).toString('base64') }
    const answer = await this.#answer(rpc('sendBoc', params), signal, false)
    return answer.ok ? { outcome: 'known' } : sendResult(answer.why)
  }

  protected async find<T>(question: Question, read: AnswerReader<T>, signal: AbortSignal): Promise<T | null> {
    const answer = await this.#answer(question, signal)
    if (answer.ok) return read(answer.result)
    if (isLacking(answer.why)) return null
    throw statusError(answer.status)
  }

  async #answer(question: Question, signal: AbortSignal, repeatable = true) {
    const { status, json } = await this.call(question, signal, repeatable)
    if (json === undefined) throw statusError(status)
    if (status === 200 && Object(json).ok === true) return { ok: true, result: Object(json).result } as const
    return { ok: false, status: status === 200 ? 500 : status, why: readFailure(json).error } as const
  }
}

const rpc = (name: string, params: object): Question => ({
  path: PATH,
  body: { jsonrpc: '2.0', id: 1, method: name, params },
})

const shardName = ({ shard, seqno }: Static<typeof shardId>): string => `${shard} ${seqno}`

const blockOf = ({ id, gen_utime }: Static<typeof headerSchema>): BlockRef => ({
  height: BigInt(id.seqno),
  hash: hexOfBase64(id.root_hash),
  time: gen_utime,
})

const stateOf = ({ balance, code, data, last_transaction_id: last, state }: Static<typeof stateSchema>): AccountState =>
  // A number: accounts that do not exist have -1 in some versions.
  accountOf({
    balance: BigInt(balance) < 0n ? 0n : balance,
    code,
    data,
    last: last.lt === '0' ? null : last,
    status: state,
  })

/** Numbers and cells, which are all that the methods here return. Any other item, and one that cannot be read, is null. */
const itemOf = (item: unknown): TupleItem => {
  const [type]: unknown[] = Array.isArray(item) ? item : []
  try {
    if (type === 'num') {
      const [, text] = readNumber(item)
      return { type: 'int', value: text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text) }
    }
    if (type === 'cell' || type === 'slice') return { type: 'cell', cell: cellOf(readCell(item)[1].bytes) }
  } catch (error) {
    if (!ServiceError.is(error)) throw error
  }
  return { type: 'null' }
}
