import { parseExactJson, type RestClient } from '@causeway/core/chain-kit'
import { expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { askedOf } from '../rpc/tronNode.js'
import { readBalances } from './balances.js'

const HOLDER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const idOf = (height: number): string => height.toString(16).padStart(16, '0') + 'a'.repeat(48)

/** A node whose head is the next block at each question, and which shows these balances, the last one for ever. */
const busyNode = (...balances: readonly number[]) => {
  let height = 0
  let shown = 0
  const headJson = () => {
    height += 1
    const raw_data = { number: height, parentHash: idOf(height - 1), timestamp: 3000 * height }
    return { blockID: idOf(height), block_header: { raw_data } }
  }
  const balanceJson = () => {
    shown += 1
    return { address: '41', balance: balances[Math.min(shown, balances.length) - 1] }
  }
  const post: RestClient['post'] = async (path, _, read) =>
    read(parseExactJson(JSON.stringify(path.includes('getblock') ? headJson() : balanceJson())))
  // CAST: only `post` is asked.
  return askedOf({ post } as unknown as RestClient, new AbortController().signal)
}

it('balances that two readings in a row show are those of the block between them, however fast blocks come', async () => {
  expect(await readBalances(busyNode(1, 2, 2), [{ address: HOLDER, currency: NATIVE }])).toEqual({
    ...{ amounts: [2n], height: 3n },
  })
})

it('balances that change with each block are of none, and refused', async () => {
  const changing = busyNode(...Array.from({ length: 20 }, (_, at) => at))
  const read = readBalances(changing, [{ address: HOLDER, currency: NATIVE }])
  await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
