import { expect, test } from 'vitest'
import { ServiceError } from '../../errors/serviceError.js'
import { findFinalBlock } from './finalBlock.js'

/** Blocks whose times are given; counts the questions. */
const chainOf = (times: readonly number[]) => {
  let asked = 0
  const blockAt = async (height: bigint) => {
    asked += 1
    const time = times[Number(height)]
    if (time === undefined) throw new ServiceError('RPC_HTTP_ERROR', 'It lacks a block.')
    return { height, time }
  }
  return { tip: { height: BigInt(times.length - 1), time: times.at(-1) ?? 0 }, blockAt, asked: () => asked }
}

const every = (seconds: number, count: number) => Array.from({ length: count }, (_, at) => at * seconds)

test('chains.md, Finality values seen: the newest final block is deep enough and old enough, both', async () => {
  const { tip, blockAt } = chainOf(every(10, 101))
  const finalAt = async (settle: number, settleSeconds: number) =>
    (await findFinalBlock(tip, { settle, settleSeconds }, blockAt))?.height
  expect(await finalAt(12, 0)).toBe(88n)
  expect(await finalAt(12, 120)).toBe(88n)
  expect(await finalAt(12, 121)).toBe(87n)
  expect(await finalAt(12, 500)).toBe(50n)
  expect(await finalAt(100, 0)).toBe(0n)
})

test('a chain that is too short or too young has no final block', async () => {
  const { tip, blockAt } = chainOf(every(10, 5))
  expect(await findFinalBlock(tip, { settle: 5, settleSeconds: 0 }, blockAt)).toBeNull()
  expect(await findFinalBlock(tip, { settle: 1, settleSeconds: 41 }, blockAt)).toBeNull()
})

test('block times need not be regular, and few blocks are asked for', async () => {
  const times = [...every(1, 5_000), ...every(100, 20).map((time) => 5_000 + time)]
  for (const settleSeconds of [1, 99, 100, 101, 1_899, 1_900, 1_901, 2_500, 6_000]) {
    const { tip, blockAt, asked } = chainOf(times)
    const newest = times.findLastIndex((time, at) => tip.time - time >= settleSeconds && tip.height - BigInt(at) >= 3n)
    expect((await findFinalBlock(tip, { settle: 3, settleSeconds }, blockAt))?.height).toBe(BigInt(newest))
    expect(asked()).toBeLessThan(40)
  }
})

test('a node that lacks a block proves nothing', async () => {
  const { tip, blockAt } = chainOf(every(10, 50))
  const ahead = { height: tip.height + 10n, time: tip.time + 100 }
  await expect(findFinalBlock(ahead, { settle: 1, settleSeconds: 0 }, blockAt)).rejects.toMatchObject({
    code: 'RPC_HTTP_ERROR',
  })
})
