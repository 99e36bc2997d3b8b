import { readFileSync } from 'node:fs'
import { parseExactJson, type RestClient } from '@causeway/core/chain-kit'
import { describe, expect, it } from 'vitest'
import { askAccount, askResources } from './accounts.js'
import { askBlock, askHead, askOldest, blocksIn } from './blocks.js'
import { runCall } from './contracts.js'
import { askInfo, askInfos, askInfosOf } from './transactionInfos.js'
import { type Asked, askedOf } from './tronNode.js'

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
type Body = Readonly<Record<string, unknown>>

/** A node that answers with JSON text, by the path and the question. */
const nodeOf = (answer: (path: string, body: Body) => string): Asked => {
  const post: RestClient['post'] = async (path, body, read) => read(parseExactJson(answer(path, Object(body))))
  // CAST: only `post` is asked.
  return askedOf({ post } as unknown as RestClient, new AbortController().signal)
}
const saying = (text: string): Asked => nodeOf(() => text)

const idOf = (height: number, fork = 'a'): string => height.toString(16).padStart(16, '0') + fork.repeat(48)
const block = (height: number, parent = idOf(height - 1)) => ({
  blockID: idOf(height),
  block_header: { raw_data: { number: height, parentHash: parent, timestamp: 1_764_523_000_000 + height * 3000 } },
})

describe('answers of nodes', () => {
  it('keep amounts above 2^53', async () => {
    const text = '{"address":"41a6","balance":90071992547409931,"latest_opration_time":1764523000000}'
    expect(await askAccount(saying(text), USDT)).toEqual({
      ...{ balance: 90_071_992_547_409_931n, isContract: false, lastOperation: 1_764_523_000_000n },
    })
  })

  it('that are empty say that there is no such thing', async () => {
    const facts = JSON.parse(readFileSync(new URL('./fixtures/facts.json', import.meta.url), 'utf8'))
    expect(Object.keys(facts.answers)[0]).toMatch(/gettransactioninfobyblocknum of a block without transactions/)
    expect(await askAccount(saying('{}'), USDT)).toBeNull()
    expect(await askInfo(saying('{}'), '0')).toBeNull()
    expect(await askInfos(saying('{}'), 0n)).toEqual([])
    expect(await askBlock(saying('{}'), 5n)).toBeNull()
    expect(await askResources(saying('{}'), USDT)).toEqual({ freeNet: 0n, stakedNet: 0n, energy: 0n })
  })

  it('that are errors, or of another form, are no answers', async () => {
    const asked = [
      askHead(saying('{"Error":"class org.tron.core.exception"}')),
      askHead(saying('{}')),
      askHead(saying('{"blockID":"x"}')),
      askBlock(saying(JSON.stringify(block(6))), 5n),
      askBlock(saying(JSON.stringify({ ...block(5), blockID: idOf(6) })), 5n),
    ]
    for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  })

  it('without the result of a transaction of the block are none', async () => {
    const transaction = { txID: 'ab'.repeat(32), raw_data: { contract: [] } }
    await expect(askInfosOf(saying('{}'), 5n, [transaction])).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  })

  it('have messages in hex', async () => {
    const message = Buffer.from('REVERT opcode executed').toString('hex')
    const reverted = JSON.stringify({
      ...{ result: { result: true, message }, energy_used: 500, constant_result: [''] },
      transaction: { ret: [{ ret: 'FAILED' }] },
    })
    const { failure, energy } = await runCall(saying(reverted), { owner: USDT, to: USDT, data: '' })
    expect({ failure, energy }).toEqual({ failure: 'REVERT opcode executed', energy: 500n })
    const reason = `08c379a0${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${Buffer.from('low').toString('hex')}`
    const told = JSON.stringify({ result: { result: true, code: 'CONTRACT_EXE_ERROR' }, constant_result: [reason] })
    expect((await runCall(saying(told), { owner: USDT, to: USDT, data: '' })).failure).toBe('low')
  })
})

describe('a range of blocks', () => {
  const read = async (asked: Asked, first: bigint, last: bigint): Promise<readonly bigint[]> => {
    const heights: bigint[] = []
    for await (const { height } of blocksIn(asked, first, last)) heights.push(height)
    return heights
  }
  const serving = (least: number, most: number, odd: (height: number) => object = block) =>
    nodeOf((_, { startNum, endNum }) => {
      const [start, end] = [Math.max(Number(startNum), least), Math.min(Number(endNum), Number(startNum) + most)]
      return JSON.stringify({ block: Array.from({ length: Math.max(0, end - start) }, (_, at) => odd(start + at)) })
    })

  it('is read whole, however few blocks a node lists', async () => {
    const wanted = Array.from({ length: 7 }, (_, at) => BigInt(10 + at))
    for (const most of [1, 2, 3, 100]) expect(await read(serving(0, most), 10n, 16n)).toEqual(wanted)
  })

  it('begins with the oldest block that a node has', async () => {
    expect(await read(serving(14, 100), 10n, 16n)).toEqual([14n, 15n, 16n])
  })

  it('has no gap and no block of another branch', async () => {
    const gap = serving(0, 100, (height) => block(height > 12 ? height + 1 : height))
    const branch = serving(0, 100, (height) => block(height, height === 12 ? idOf(11, 'b') : undefined))
    for (const asked of [gap, branch])
      await expect(read(asked, 10n, 16n)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
    await expect(read(saying('{}'), 10n, 16n)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  it('of a node that prunes is found by halves', async () => {
    const pruned = nodeOf((_, { id_or_num: asked }) => {
      const height = asked === undefined ? 5000 : Number(asked)
      return height >= 4321 && height <= 5000 ? JSON.stringify(block(height)) : '{}'
    })
    expect((await askOldest(pruned)).height).toBe(4321n)
  })
})
