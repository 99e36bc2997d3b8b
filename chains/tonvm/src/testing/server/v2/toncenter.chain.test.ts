import { beginCell, comment, external, internal, storeMessage } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { internalMessage } from '../../engine/internalMessage.js'
import { externalHash } from '../../engine/messageHashes.js'
import { payment, startTestedTon, type TestedTon, type TestedWallet, TON } from '../../testedTon.test.support.js'
import { SHARD } from '../tonView.js'

let network: TestedTon
let from: TestedWallet
let to: TestedWallet

beforeAll(async () => {
  network = await startTestedTon()
  ;[from, to] = [await network.wallet(), await network.wallet(0n)]
  for (let at = 0; at < 5; at += 1) {
    await from.submit([payment(to, TON, `order ${at}`)])
    await network.chain.advance(2)
  }
})
afterAll(() => network?.close())

/** Members of an answer that tests read. */
interface Listed {
  readonly utime: number
  readonly transaction_id: { readonly lt: string; readonly hash: string }
  readonly in_msg: { readonly source: string; readonly created_lt: string; readonly hash: string }
  readonly out_msgs: readonly { readonly destination: string; readonly value: string }[]
}

const result = async <T>(method: string, params: object): Promise<T> => {
  const { status, json } = await network.call(method, params)
  expect(status).toBe(200)
  // CAST: each test compares the members that it reads.
  return Object(json).result as T
}

const list = (params: object = {}, address = to.address.toRawString()) =>
  result<Listed[]>('getTransactions', { address, limit: 10, ...params })

const idsOf = (all: readonly Listed[]) => all.map(({ transaction_id: { lt } }) => lt)

describe('a list of transactions', () => {
  it('is newest first, starts at a transaction, and ends above a logical time', async () => {
    const all = await list()
    expect(all).toHaveLength(5)
    expect(idsOf(all)).toEqual([...idsOf(all)].sort((a, b) => (BigInt(a) > BigInt(b) ? -1 : 1)))
    const { lt = '', hash = '' } = all[1]?.transaction_id ?? {}
    const urlSafe = hash.replaceAll('+', '-').replaceAll('/', '_')
    for (const spelled of [hash, urlSafe, Buffer.from(hash, 'base64').toString('hex')]) {
      expect(idsOf(await list({ lt, hash: spelled, limit: 2 }))).toEqual(idsOf(all.slice(1, 3)))
    }
    expect(idsOf(await list({ to_lt: lt }))).toEqual(idsOf(all.slice(0, 1)))
    expect(idsOf(await list({ to_lt: Number(lt) - 1 }))).toEqual(idsOf(all.slice(0, 2)))
  })

  it('takes an address in every spelling, and refuses other texts and wrong places', async () => {
    const spellings = [
      to.address.toString(),
      to.address.toString({ bounceable: false, urlSafe: false }),
      to.address.toString({ testOnly: true }),
    ]
    for (const spelled of spellings) expect(await list({}, spelled)).toHaveLength(5)
    expect(await network.call('getTransactions', { address: 'EQabc' })).toMatchObject({ status: 416 })
    expect(await network.call('getTransactions', {})).toMatchObject({ status: 422 })
    const address = to.address.toString()
    const { lt, hash } = (await list())[0]?.transaction_id ?? {}
    const refused = [{ lt }, { limit: 101 }, { lt, hash: 'ab' }, { lt: 'x', hash }]
    for (const wrong of refused) {
      expect(await network.call('getTransactions', { address, ...wrong })).toMatchObject({ status: 422 })
    }
    const other = Buffer.alloc(32).toString('base64')
    expect(await network.call('getTransactions', { address, lt, hash: other })).toMatchObject({ status: 500 })
    expect(await network.call('getTransactions', { address, lt: '7', hash })).toMatchObject({ status: 500 })
  })

  it('is served by the path of its method too', async () => {
    const { status, text } = await network.get(`/api/v2/getTransactions?address=${to.address}&limit=1&archival=true`)
    expect([status, JSON.parse(text).result]).toEqual([200, await list({ limit: 1 })])
    expect(await network.call('noSuchMethod')).toMatchObject({ status: 422, json: { error: 'Unknown method' } })
  })
})

it('a transaction has the time of its block, which is found by time, by logical time and by seqno', async () => {
  for (const { utime, transaction_id } of await list()) {
    const { lt } = transaction_id
    const block = await result<{ seqno: number }>('lookupBlock', { workchain: 0, shard: SHARD, lt })
    const at = { workchain: 0, shard: SHARD, seqno: block.seqno }
    const header = await result<{ gen_utime: number; start_lt: string; end_lt: string }>('getBlockHeader', at)
    expect(header.gen_utime).toBe(utime)
    expect(BigInt(header.start_lt) <= BigInt(lt) && BigInt(lt) < BigInt(header.end_lt)).toBe(true)
    const { transactions } = await result<{ transactions: { lt: string }[] }>('getBlockTransactions', at)
    expect(transactions.map((tx) => tx.lt)).toEqual([lt])
    const master = { workchain: -1, shard: SHARD, unixtime: utime }
    const { seqno } = await result<{ seqno: number }>('lookupBlock', master)
    const { shards } = await result<{ shards: { seqno: number }[] }>('shards', { seqno })
    expect(shards[0]?.seqno).toBeLessThanOrEqual(block.seqno)
  }
  const later = { workchain: -1, shard: SHARD, unixtime: 9_999_999_999 }
  expect(await network.call('lookupBlock', later)).toMatchObject({ status: 500 })
  const odd = { workchain: -1, shard: '1', seqno: 1 }
  expect(await network.call('getBlockHeader', odd)).toMatchObject({ status: 500 })
})

it('pages transactions of a block, and says that there are more', async () => {
  const many = Array.from({ length: 45 }, () => payment(to, 1n, 'x'))
  await from.submit(many)
  const { last } = await result<{ last: { seqno: number } }>('getMasterchainInfo', {})
  await network.chain.advance(2)
  const { shards } = await result<{ shards: { seqno: number }[] }>('shards', { seqno: last.seqno + 2 })
  const at = { workchain: 0, shard: SHARD, seqno: shards[0]?.seqno }
  type Page = { transactions: { lt: string; hash: string }[]; incomplete: boolean }
  const first = await result<Page>('getBlockTransactions', at)
  const { lt, hash } = first.transactions.at(-1) ?? {}
  const rest = await result<Page>('getBlockTransactions', { ...at, after_lt: lt, after_hash: hash })
  expect([first.transactions.length, first.incomplete, rest.transactions.length, rest.incomplete]).toEqual([
    ...[40, true, 5, false],
  ])
})

it('finds both ends of a message', async () => {
  const { client } = network
  const [received] = await client.getTransactions(to.address, { limit: 1 })
  const info = received?.inMessage?.info
  if (info?.type !== 'internal') throw new Error('The message is not internal')
  const ends = [info.src, info.dest, String(info.createdLt)] as const
  expect((await client.tryLocateResultTx(...ends)).hash()).toEqual(received?.hash())
  const source = await client.tryLocateSourceTx(...ends)
  expect(source.outMessages.values().some((message) => message.info.type === 'internal')).toBe(true)
  await expect(client.tryLocateResultTx(info.src, info.dest, '7')).rejects.toMatchObject({ response: { status: 500 } })
})

it('returns the hashes of a message, by which its transaction is located', async () => {
  const body = await from.sign([internal({ to: to.address, value: 1n, bounce: false, body: comment('x') })])
  const message = external({ to: from.address, body })
  const boc = beginCell().store(storeMessage(message)).endCell()
  const answer = await result<{ hash: string; hash_norm: string }>('sendBocReturnHash', {
    boc: boc.toBoc().toString('base64'),
  })
  const hashes = [boc.hash().toString('hex'), externalHash(message)]
  expect([answer.hash, answer.hash_norm].map((hash) => Buffer.from(hash, 'base64').toString('hex'))).toEqual(hashes)
  expect(await network.chain.locate(hashes[0] ?? '')).toBeNull()
  await network.chain.advance()
  const located = await Promise.all(hashes.map((hash) => network.chain.locate(hash)))
  expect(located[0]).toEqual(located[1])
  expect(located[0]?.account).toBe(from.address.toRawString())
  expect(await network.chain.locate(located[0]?.hash ?? '')).toEqual(located[0])
})

it('shows accounts that do not exist, that hold money, and that have code, also at an older seqno', async () => {
  const shown = (address: string, seqno?: number) =>
    result<{ state: string; balance: string; code: string }>('getAddressInformation', { address, seqno })
  const nothing = `0:${'12'.repeat(32)}`
  expect(await shown(nothing)).toMatchObject({ state: 'uninitialized', balance: '0', code: '' })
  expect(await shown(to.address.toString())).toMatchObject({ state: 'uninitialized', code: '' })
  expect(await shown(from.address.toString())).toMatchObject({ state: 'active' })
  expect(await shown(from.address.toString(), 0)).toMatchObject({ state: 'uninitialized', balance: '0' })
  expect(await result('getAddressState', { address: nothing })).toBe('uninitialized')
  expect(await result('getAddressBalance', { address: nothing })).toBe('0')
  const failed = { address: nothing, method: 'seqno', stack: [] }
  expect(await result('runGetMethod', failed)).toMatchObject({ exit_code: -13 })
})

it('delivers messages from any address, and reports one that failed', async () => {
  const { chain } = network
  const source = from.address
  const [done] = await chain.apply(internalMessage(source, to.address, 5n, { body: comment('forged') }))
  expect(done?.account).toBe(to.address.toRawString())
  const jetton = await network.jetton()
  const odd = internalMessage(source, jetton.address, TON, { body: beginCell().storeUint(7, 32).endCell() })
  await expect(chain.apply(odd)).rejects.toThrow('failed')
})
