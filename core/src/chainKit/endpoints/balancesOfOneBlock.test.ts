import { expect, it } from 'vitest'
import { balancesOfOneBlock } from './balancesOfOneBlock.js'

const query = { address: 'holder', currency: 'coin' }

/** A node with so many questions in each block, which shows these balances, the last one for ever. */
const nodeOf = (balances: readonly bigint[], inBlock: number) => {
  let asked = 0
  let shown = 0
  return {
    newest: async () => {
      const height = BigInt(Math.floor(asked++ / inBlock))
      return { height, hash: `block ${height}`, time: 0 }
    },
    balanceOf: async () => balances[Math.min(shown++, balances.length - 1)] ?? null,
    atOnce: 4,
  }
}

it('balances between two answers of one block are those of that block', async () => {
  expect(await balancesOfOneBlock([query], nodeOf([1n, 2n], 2))).toEqual({ amounts: [1n], height: 0n })
})

it('balances that two readings in a row show are those of the block between them, however fast blocks come', async () => {
  expect(await balancesOfOneBlock([query], nodeOf([1n, 2n, 2n], 1))).toEqual({ amounts: [2n], height: 2n })
})

it('balances that change with each block are of none, and refused', async () => {
  const changing = Array.from({ length: 20 }, (_, at) => BigInt(at))
  await expect(balancesOfOneBlock([query], nodeOf(changing, 1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

it('a long list is of the first block or newer ones', async () => {
  const queries = Array.from({ length: 41 }, () => query)
  expect((await balancesOfOneBlock(queries, nodeOf([1n], 1))).height).toBe(0n)
})
