import { RecentMap } from '@causeway/core'
import type { BlockRef, BroadcastResult } from '@causeway/core/chain'
import { type AnswerReader, answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { Cell, parseTuple, serializeTuple, type TupleItem } from '@ton/core'
import {
  type AccountState,
  accountOf,
  base64OfHex,
  COMMITTED,
  COUNT,
  cellOf,
  chainedPage,
  committedOf,
  friendly,
  hexOfBase64,
  type MethodCall,
  readCells,
  SEQNO,
  type TonApi,
  type TransactionName,
} from './tonApi.js'
import { type Question, statusError, TonHttp } from './tonHttp.js'

/** Times that are kept. */
const MOST_TIMES = 10_000
const readLatest = answerOf(
  Type.Object({
    last: Type.Object({ seqno: SEQNO, rootHash: Type.String() }),
    init: Type.Object({ rootHash: Type.String() }),
    now: Type.Integer({ minimum: 0 }),
  }),
)
const shard = Type.Object({
  workchain: Type.Integer(),
  seqno: SEQNO,
  rootHash: Type.String(),
  transactions: Type.Array(COMMITTED),
})
const readBlock = answerOf(
  Type.Object({ exist: Type.Boolean(), block: Type.Optional(Type.Object({ shards: Type.Array(shard) })) }),
)
const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const readAccount = answerOf(
  Type.Object({
    account: Type.Object({
      state: Type.Object({
        type: Type.Union([Type.Literal('active'), Type.Literal('frozen'), Type.Literal('uninit')]),
        ...{ code: text, data: text },
      }),
      balance: Type.Object({ coins: COUNT }),
      last: Type.Union([Type.Object({ lt: COUNT, hash: Type.String() }), Type.Null()]),
    }),
  }),
)
const readPage = answerOf(Type.Object({ boc: Type.String() }))
const readRun = answerOf(Type.Object({ exitCode: Type.Integer(), resultRaw: text }))
const readConfig = answerOf(Type.Object({ config: Type.Object({ cell: Type.String() }) }))

const LATEST: Question = { path: '/block/latest' }

/** API v4, which `TonClient4` speaks too. Its errors have no reason, so each of them may mean that the node lacks what it was asked for. */
export class TonV4 extends TonHttp implements TonApi {
  /** Times of masterchain blocks. */
  readonly #times = new RecentMap<number, number>(MOST_TIMES)

  async newest(signal: AbortSignal) {
    const { last, init } = await this.ask(LATEST, readLatest, signal)
    const block = await this.block(BigInt(last.seqno), signal)
    if (block === null) throw strangeAnswer('a newest block that is not there')
    return { ...block, genesis: hexOfBase64(init.rootHash) }
  }

  async block(height: bigint, signal: AbortSignal): Promise<BlockRef | null> {
    const found = await this.#masterBlock(`/block/${height}`, signal)
    if (found === null) return null
    if (BigInt(found.seqno) !== height) throw strangeAnswer('another block')
    const time = this.#times.get(found.seqno) ?? (await this.#timeOf(found, signal))
    this.#times.set(found.seqno, time)
    return { height, hash: hexOfBase64(found.rootHash), time }
  }

  async account(address: string, height: bigint, signal: AbortSignal): Promise<AccountState | null> {
    const found = await this.find({ path: `/block/${height}/${friendly(address)}` }, readAccount, signal)
    if (found === null) return null
    const { state, balance, last } = found.account
    const status = state.type === 'uninit' ? 'uninitialized' : state.type
    return accountOf({ ...state, status, balance: balance.coins, last })
  }

  async transactions(address: string, from: TransactionName, signal: AbortSignal) {
    const path = `/account/${friendly(address)}/tx/${from.lt}/${pathHash(from.hash)}`
    const found = await this.find({ path }, readPage, signal)
    if (found === null || found.boc === '') return []
    return chainedPage(
      readCells(() => Cell.fromBoc(Buffer.from(found.boc, 'base64'))),
      from,
    )
  }

  async committed(height: bigint, signal: AbortSignal) {
    const shards = await this.#shards(`/block/${height}`, signal)
    if (shards === null) throw statusError(404)
    return shards.flatMap(({ workchain, transactions }) => (workchain === 0 ? transactions.map(committedOf) : []))
  }

  async run({ address, method, args, height }: MethodCall, signal: AbortSignal): Promise<readonly TupleItem[] | null> {
    const tuple = serializeTuple(args.map((cell) => ({ type: 'slice', cell })))
    const given = args.length === 0 ? '' : `/${urlSafe(tuple.toBoc({ idx: false, crc32: false }).toString('base64'))}`
    const path = `/block/${height}/${friendly(address)}/run/${method}${given}`
    const { exitCode, resultRaw } = await this.ask({ path }, readRun, signal)
    if (exitCode !== 0 && exitCode !== 1) return null
    return resultRaw ? readCells(() => parseTuple(cellOf(resultRaw))) : []
  }

  async config(signal: AbortSignal): Promise<string> {
    const { last } = await this.ask(LATEST, readLatest, signal)
    return (await this.ask({ path: `/block/${last.seqno}/config` }, readConfig, signal)).config.cell
  }

  async send(boc: Uint8Array, signal: AbortSignal): Promise<BroadcastResult> {
    const body = { boc: Buffer.from(boc).toString('base64') }
    const { status } = await this.call({ path: '/send', body }, signal, false)
    if (status === 200) return { outcome: 'known' }
    return { outcome: 'unknown', message: 'A node of this chain did not take the payment.' }
  }

  /** A node that fails as a whole does not show its newest block either. */
  protected async find<T>(question: Question, read: AnswerReader<T>, signal: AbortSignal): Promise<T | null> {
    const { status, json } = await this.call(question, signal)
    if (status === 200 && json !== undefined) return read(json)
    const isAway = question === LATEST || (await this.call(LATEST, signal)).status !== 200
    if (isAway || (status < 500 && status !== 404)) throw statusError(status)
    return null
  }

  /** Blocks that a masterchain block commits, itself among them; null where the node lacks it. */
  async #shards(path: string, signal: AbortSignal) {
    const { exist, block } = (await this.find({ path }, readBlock, signal)) ?? { exist: false, block: undefined }
    return exist && block !== undefined ? block.shards : null
  }

  async #masterBlock(path: string, signal: AbortSignal) {
    const shards = await this.#shards(path, signal)
    const found = shards?.find(({ workchain }) => workchain === -1)
    if (shards !== null && found === undefined) throw strangeAnswer('a block without its masterchain part')
    return found ?? null
  }

  /**
   * Every block of the public network has transactions of the elector, which have the time of their block. For another block the second is found
   * in which its turn comes.
   */
  async #timeOf({ seqno, transactions: [first] }: Static<typeof shard>, signal: AbortSignal): Promise<number> {
    const elector = first && committedOf(first)
    const [inside] = elector === undefined ? [] : await this.transactions(elector.address, elector, signal)
    if (inside !== undefined) return inside.now
    const { now } = await this.ask(LATEST, readLatest, signal)
    const isReached = async (time: number) =>
      ((await this.#masterBlock(`/block/utime/${time}`, signal))?.seqno ?? seqno) >= seqno
    let [early, late] = [now - 1, now]
    for (let step = 2; early > 0 && (await isReached(early)); step *= 2) [early, late] = [now - step, early]
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2)
      if (await isReached(middle)) late = middle
      else early = middle
    }
    return late
  }
}

/** Text of base64 for a path of a URL. */
const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_')

const pathHash = (hash: string): string => urlSafe(base64OfHex(hash))
