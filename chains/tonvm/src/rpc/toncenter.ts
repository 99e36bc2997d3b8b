import { ServiceError } from '@causeway/core'
import type { BlockRef, BroadcastResult } from '@causeway/core/chain'
import { type AnswerReader, answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import type { Cell, TupleItem } from '@ton/core'
import { isLacking, sendResult } from './nodeErrors.js'
import {
  type AccountState,
  base64OfHex,
  cellOf,
  chainedPage,
  friendly,
  hexOfBase64,
  type MethodCall,
  type TonApi,
  type TransactionName,
} from './tonApi.js'
import { statusError, TonHttp, type TonHttpDeps } from './tonHttp.js'

const PATH = '/api/v2/jsonRPC'
const MASTERCHAIN = { workchain: -1, shard: '-9223372036854775808' }
const PAGE_LIMIT = 100

const SEQNO = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })
const COUNT = Type.String({ pattern: '^\\d{1,39}$' })
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
const readPage = answerOf(Type.Array(Type.Object({ data: Type.String() })))
const readRun = answerOf(Type.Object({ exit_code: Type.Integer(), stack: Type.Array(Type.Unknown()) }))
const readConfig = answerOf(Type.Object({ config: Type.Object({ bytes: Type.String() }) }))
const readFailure = answerOf(Type.Object({ error: Type.String() }))
const readNumber = answerOf(Type.Tuple([Type.Literal('num'), Type.String({ pattern: '^-?0x[0-9a-f]{1,64}$' })]))
const readCell = answerOf(
  Type.Tuple([Type.Union([Type.Literal('cell'), Type.Literal('slice')]), Type.Object({ bytes: Type.String() })]),
)

/** API v2 of toncenter over JSON-RPC (chains.md tonvm 4). */
export class Toncenter implements TonApi {
  readonly #http: TonHttp

  constructor(deps: TonHttpDeps) {
    this.#http = new TonHttp(deps)
  }

  async newest(signal: AbortSignal) {
    const { last, init } = await this.#ask('getMasterchainInfo', {}, readInfo, signal)
    const header = await this.#ask('getBlockHeader', { ...MASTERCHAIN, seqno: last.seqno }, readHeader, signal)
    return { ...blockOf(header), genesis: hexOfBase64(init.root_hash) }
  }

  async block(height: bigint, signal: AbortSignal): Promise<BlockRef | null> {
    const header = await this.#find('getBlockHeader', { ...MASTERCHAIN, seqno: Number(height) }, readHeader, signal)
    if (header === null) return null
    const block = blockOf(header)
    if (block.height !== height) throw strangeAnswer('another block')
    return block
  }

  async account(address: string, height: bigint, signal: AbortSignal): Promise<AccountState | null> {
    const asked = { address: friendly(address), seqno: Number(height) }
    const found = await this.#find('getAddressInformation', asked, readState, signal)
    return found && stateOf(found)
  }

  async transactions(address: string, from: TransactionName, signal: AbortSignal) {
    const asked = { address: friendly(address), lt: `${from.lt}`, hash: base64OfHex(from.hash), limit: PAGE_LIMIT }
    const recent = await this.#find('getTransactions', asked, readPage, signal)
    const found = recent ?? (await this.#find('getTransactions', { ...asked, archival: true }, readPage, signal)) ?? []
    return chainedPage(
      found.map(({ data }) => cellOf(data)),
      from,
    )
  }

  async run({ address, method, args, height }: MethodCall, signal: AbortSignal): Promise<readonly TupleItem[] | null> {
    const stack = args.map((cell) => ['tvm.Slice', cell.toBoc().toString('base64')])
    const asked = { address: friendly(address), method, stack, seqno: Number(height) }
    const { exit_code, stack: found } = await this.#ask('runGetMethod', asked, readRun, signal)
    return exit_code === 0 || exit_code === 1 ? found.map(itemOf) : null
  }

  async config(id: number | null, signal: AbortSignal): Promise<Cell> {
    const [method, asked] =
      id === null ? (['getConfigAll', {}] as const) : (['getConfigParam', { config_id: id }] as const)
    return cellOf((await this.#ask(method, asked, readConfig, signal)).config.bytes)
  }

  async send(boc: Uint8Array, signal: AbortSignal): Promise<BroadcastResult> {
    const params = { boc: Buffer.from(boc).toString('base64') }
    const answer = await this.#call('sendBoc', params, signal, false)
    return answer.ok ? { outcome: 'known' } : sendResult(answer.why)
  }

  close(): void {
    this.#http.close()
  }

  /** @throws ServiceError also where the node lacks what is asked for */
  async #ask<T>(method: string, params: object, read: AnswerReader<T>, signal: AbortSignal): Promise<T> {
    const found = await this.#find(method, params, read, signal)
    if (found === null) throw statusError({ status: 500 })
    return found
  }

  /** Null where the node lacks what is asked for. */
  async #find<T>(method: string, params: object, read: AnswerReader<T>, signal: AbortSignal): Promise<T | null> {
    const answer = await this.#call(method, params, signal, true)
    if (answer.ok) return read(answer.result)
    if (isLacking(answer.why)) return null
    throw statusError(answer)
  }

  async #call(method: string, params: object, signal: AbortSignal, repeatable: boolean) {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const { status, json } = await this.#http.call({ path: PATH, body, repeatable, signal })
    if (json === undefined) throw statusError({ status })
    if (status === 200 && Object(json).ok === true) return { ok: true, result: Object(json).result } as const
    return { ok: false, status: status === 200 ? 500 : status, why: readFailure(json).error } as const
  }
}

const blockOf = ({ id, gen_utime }: Static<typeof headerSchema>): BlockRef => ({
  height: BigInt(id.seqno),
  hash: hexOfBase64(id.root_hash),
  time: gen_utime,
})

const stateOf = ({ balance, code, data, last_transaction_id, state }: Static<typeof stateSchema>): AccountState => {
  const { lt, hash } = last_transaction_id
  return {
    // A number: accounts that do not exist have -1 in some versions.
    balance: BigInt(balance) < 0n ? 0n : BigInt(balance),
    status: state,
    code: code ? cellOf(code) : null,
    data: data ? cellOf(data) : null,
    last: lt === '0' ? null : { lt: BigInt(lt), hash: hexOfBase64(hash) },
  }
}

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
