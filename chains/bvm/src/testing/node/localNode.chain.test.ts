import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountNumber, type BitcoinAccount } from '../accounts.js'
import { type Coin, outpoint, outpointsOf, sumOf } from '../chain/coins.js'
import { Refusal } from '../chain/refusal.js'
import { SUBSIDY } from '../chain/regtest.js'
import { formOf } from '../chain/scriptForms.js'
import { DEFAULT_POLICY } from '../mempool/policy.js'
import { LocalNode } from './localNode.js'
import { buildPayment, coinsOf } from './localWallet.js'

const owners: readonly [BitcoinAccount, BitcoinAccount] = [accountNumber(0), accountNumber(1)]

/** The coins that all blocks leave, reckoned anew. */
const reckoned = (node: LocalNode): ReadonlyMap<string, bigint> => {
  const coins = new Map<string, bigint>()
  for (let height = 1; height <= node.chain.height; height += 1) {
    for (const { tx, txid } of node.chain.blockAt(height).transactions) {
      for (const key of outpointsOf(tx)) coins.delete(key)
      for (const [vout, { value, script }] of tx.outs.entries()) {
        if (formOf(script) !== 'opReturn') coins.set(outpoint(txid, vout), value)
      }
    }
  }
  return coins
}

const values = (coins: ReadonlyMap<string, Coin>): ReadonlyMap<string, bigint> =>
  new Map([...coins].map(([key, { value }]) => [key, value]))

type Act = { readonly do: 'pay' | 'replace' | 'mine' | 'reorg' | 'doubleSpend' | 'rewind'; readonly size: number }

const act = (node: LocalNode, { do: what, size }: Act): void => {
  const [from, to] = size % 2 === 0 ? owners : [owners[1], owners[0]]
  const build = (fee: bigint, coins = coinsOf(node, from).slice(0, 1)) =>
    buildPayment(node, from, [{ to: to.addresses.p2wpkh, value: 10_000n }], { fee, coins })
  const depth = Math.min(1 + (size % 3), node.chain.height - 4)
  const [waiting] = node.mempool.entries.values()
  if (what === 'pay' && coinsOf(node, from).length > 0) node.submit(build(1_000n))
  if (what === 'replace' && waiting !== undefined) {
    const coin = waiting.spent[0]
    if (coin === undefined) return
    node.submit(build(waiting.fee + 5_000n, [{ ...coin, form: 'p2wpkh' }]))
  }
  if (what === 'mine') node.mine(1 + (size % 2), size % 3 === 0 ? { empty: true } : {})
  if (what === 'rewind' && depth > 0) node.rewind(depth, (txid) => size > 50 && txid < '8')
  if (what === 'reorg' && depth > 0) node.reorganize(depth, [], (txid) => size > 50 && txid < '8')
  if (what === 'doubleSpend' && depth > 0) {
    const spender = node.chain.tip.transactions[1]
    const coin = spender?.spent[0]
    if (coin?.height === null || coin === undefined || coin.height === node.chain.height) return
    node.reorganize(1, [build(3_000n, [{ ...coin, form: 'p2wpkh' }])], () => false)
  }
}

const acts = fc.array(
  fc.record({
    do: fc.constantFrom('pay', 'pay', 'replace', 'mine', 'reorg', 'doubleSpend', 'rewind'),
    size: fc.nat(100),
  }),
  { minLength: 6, maxLength: 14 },
)

describe('chain and mempool', () => {
  it('make and lose no satoshi, whatever is paid, replaced, mined and undone', () => {
    fc.assert(
      fc.property(acts, (list) => {
        const node = new LocalNode({ ...DEFAULT_POLICY, coinbaseMaturity: 1 }, owners[0].scripts.p2wpkh)
        node.mine(4)
        for (const one of list) {
          try {
            act(node, one)
          } catch (error) {
            // Another's coin signed with the wrong key, or a rule of replacement: nothing may have changed.
            if (!(error instanceof Refusal)) throw error
          }
          const { chain, mempool } = node
          expect(values(chain.coins)).toEqual(reckoned(node))
          expect(sumOf([...chain.coins.values()])).toBe(SUBSIDY * BigInt(chain.height))
          const spent = [...mempool.entries.values()].flatMap(({ tx }) => outpointsOf(tx))
          expect(new Set(spent).size).toBe(spent.length)
          for (const key of spent) expect(chain.coins.has(key) || mempool.coinOf(key) !== undefined).toBe(true)
        }
      }),
      { numRuns: 12 },
    )
  })
})
