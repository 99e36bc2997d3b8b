import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RetentionWorld } from '../database/retention.test.support.js'

const BLOCKS = 500

let world: RetentionWorld

beforeEach(async () => {
  world = await RetentionWorld.open()
})
afterEach(() => world.database.drop())

/** As long as that of a chain with blocks to fall back to. */
const longCursor = (): string => randomBytes(2_500).toString('hex')

const stored = async () => {
  const [row] = await world.rows<{ cursor: string; height: bigint; size: bigint }>(
    `select cursor, height, pg_total_relation_size('chain_cursors') as size from chain_cursors`,
  )
  return row
}

it(`F133: after ${BLOCKS} blocks without a deposit the cursors take no more room than at first`, async () => {
  for (let height = 1; height <= BLOCKS; height += 1) await world.quietBlock(BigInt(height), longCursor())
  const row = await stored()
  expect(row?.height).toBe(BigInt(BLOCKS))
  expect(row?.size).toBeLessThan(120_000n)
})

it('what a page says is stored with its cursor; quiet ones in between only say how far was read', async () => {
  await world.quietBlock(1n, 'first')
  await world.quietBlock(2n, 'second')
  expect(await stored()).toMatchObject({ cursor: '"first"', height: 2n })
  const { orderId } = await world.quote()
  await world.pay(orderId)
  expect(await stored()).toMatchObject({ cursor: '0', height: 100n })
  // Another watcher, or this one after it lost its lease, says at once where it stands.
  await world.quietBlock(101n, 'third', { name: 'all', epoch: 1n, signal: new AbortController().signal })
  expect(await stored()).toMatchObject({ cursor: '"third"', height: 101n })
})
