import type { ChainAdapter } from '@causeway/core/chain'
import { describe, expect, it } from 'vitest'
import { BalanceReader } from './balanceReader.js'
import { chainOf } from './chainStandIn.test.support.js'

type Answer = Awaited<ReturnType<ChainAdapter['getBalances']>>

/** A chain whose node answers when told; the calls it got are kept. */
const slowChain = () => {
  const calls: { readonly size: number; answer(): void; fail(): void }[] = []
  const chain = chainOf({ id: 1 })
  const getBalances: ChainAdapter['getBalances'] = (queries) =>
    new Promise<Answer>((resolve, reject) => {
      calls.push({
        size: queries.length,
        answer: () => resolve({ amounts: queries.map(({ address }) => BigInt(address)), height: 1n }),
        fail: () => reject(new Error('away')),
      })
    })
  return { chain: { ...chain, adapter: { ...chain.adapter, getBalances } }, calls }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const query = (address: number) => ({ address: String(address), currency: 'x' })

describe('BalanceReader (no unbounded work by callers without a key)', () => {
  it('asks a chain by one call at a time, for everything that is wanted together', async () => {
    const { chain, calls } = slowChain()
    const reader = new BalanceReader({ keepMs: 1_000, now: () => 0 })
    const first = reader.read(chain, [query(1), query(2)])
    const same = reader.read(chain, [query(2)])
    await turn()
    const later = [reader.read(chain, [query(3)]), reader.read(chain, [query(4)])]
    await turn()
    expect(calls.map(({ size }) => size)).toEqual([2])
    calls[0]?.answer()
    expect(await first).toEqual([1n, 2n])
    expect(await same).toEqual([2n])
    await turn()
    expect(calls.map(({ size }) => size)).toEqual([2, 2])
    calls[1]?.answer()
    expect(await Promise.all(later)).toEqual([[3n], [4n]])
  })

  it('leaves out what the chain keeps of a balance', async () => {
    const chain = chainOf({ id: 1 })
    const getBalances = async () => ({ amounts: [5n, 5n, null], reserved: [2n, 7n, 0n], height: 1n })
    const reader = new BalanceReader({ keepMs: 1_000, now: () => 0 })
    const amounts = reader.read({ ...chain, adapter: { ...chain.adapter, getBalances } }, [1, 2, 3].map(query))
    expect(await amounts).toEqual([3n, 0n, 0n])
  })

  it('shows a balance again for a while, and then asks anew', async () => {
    const { chain, calls } = slowChain()
    let now = 0
    const reader = new BalanceReader({ keepMs: 1_000, now: () => now })
    const ask = async () => {
      const answer = reader.read(chain, [query(7)])
      await turn()
      calls.at(-1)?.answer()
      return answer
    }
    await ask()
    now = 999
    await ask()
    expect(calls).toHaveLength(1)
    now = 1_000
    expect(await ask()).toEqual([7n])
    expect(calls).toHaveLength(2)
  })

  it('refuses more than may wait, and keeps no failure', async () => {
    const { chain, calls } = slowChain()
    const reader = new BalanceReader({ keepMs: 1_000, now: () => 0 })
    const first = reader.read(chain, [query(0)])
    await turn()
    const many = Array.from({ length: 201 }, (_, at) => reader.read(chain, [query(at + 1)]))
    await expect(many[200]).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const rest = Promise.all(many.slice(0, 200))
    calls[0]?.fail()
    await expect(first).rejects.toThrow('away')
    for (let at = 1; at <= 4; at += 1) {
      await turn()
      calls[at]?.answer()
    }
    expect(await rest).toHaveLength(200)
    expect(calls.map(({ size }) => size)).toEqual([1, 50, 50, 50, 50])
    const again = reader.read(chain, [query(0)])
    await turn()
    calls[5]?.answer()
    expect(await again).toEqual([0n])
  })
})
