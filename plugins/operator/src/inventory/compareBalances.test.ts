import type { Chain } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { compareBalances } from './compareBalances.js'
import type { BookLine, Books } from './readBooks.js'

const [CHAIN_ID, CURRENCY] = [7, 'drops']
// CAST: a comparison reads nothing else of a chain.
const chainWith = (capabilities: object) =>
  ({ config: { id: CHAIN_ID }, adapter: { capabilities, native: { address: CURRENCY } } }) as unknown as Chain

const booksOf = (lines: Partial<Record<BookLine, bigint>>): Books => ({
  get: (_chainId, _currency, line) => lines[line] ?? 0n,
  readTo: new Map([[CHAIN_ID, 10n]]),
})

/** A depository that holds so much beside books of 5,000,000, on a chain that keeps 1,200,000 of it. */
const depository = (onChain: bigint, lines: Partial<Record<BookLine, bigint>> = {}, capabilities = {}) => {
  const kept = new Map([[CURRENCY, 1_200_000n]])
  const seen = {
    height: 10n,
    wallet: new Map([[CURRENCY, 0n]]),
    depository: new Map([[CURRENCY, onChain]]),
    senders: 0n,
    reserved: { wallet: new Map<string, bigint>(), depository: kept },
  }
  const found = compareBalances(
    { chain: chainWith(capabilities), seen, why: null },
    booksOf({ depository: 5_000_000n, ...lines }),
  )
  return found.find(({ holder }) => holder === 'depository')
}

describe('a depository on a chain that keeps a reserve of every account', () => {
  it('holds more than was deposited by what opened it, which explains it to inventory and ledger check alike', () => {
    expect(depository(6_200_000n)).toMatchObject({
      difference: 1_200_000n,
      explanation: 'what the chain keeps of the account (1200000)',
    })
    expect(depository(5_000_000n)).toMatchObject({ difference: 0n, explanation: null })
  })

  it.each([
    ['more than the reserve', 6_200_001n],
    ['less than was deposited', 4_999_999n],
  ])('does not explain %s', (_name, onChain) => {
    expect(depository(onChain)).toMatchObject({ explanation: null })
  })

  it('may lack withdrawals on their way besides', () => {
    const found = depository(4_000_000n, { 'flying-in': 1_000_000n })
    expect(found?.explanation).toMatch(/keeps of the account.*and withdrawals on their way/)
  })
})

describe('a depository that pays its own fees (chains.md xrpvm 3)', () => {
  const float = { depositoryFloat: true }

  it('holds whatever its operator left there besides, but never less than was deposited', () => {
    expect(depository(90_000_000n, {}, float)?.explanation).toMatch(/operator left there/)
    expect(depository(5_000_000n, {}, float)).toMatchObject({ difference: 0n, explanation: null })
    expect(depository(4_999_999n, {}, float)).toMatchObject({ difference: -1n, explanation: null })
  })
})

describe('a depository on a ledger whose amounts have few digits (chains.md xrpvm 10)', () => {
  it('may be off by a millionth of a whole unit of an issued currency, by rounding, and by no more', () => {
    const adapter = { capabilities: {}, native: { address: 'other' }, payable: () => 0n }
    const config = { id: CHAIN_ID, currencies: [{ address: CURRENCY, decimals: 15 }] }
    const offBy = (amount: bigint) => {
      const seen = {
        height: 10n,
        wallet: new Map([[CURRENCY, 0n]]),
        depository: new Map([[CURRENCY, amount]]),
        senders: 0n,
        reserved: { wallet: new Map<string, bigint>(), depository: new Map<string, bigint>() },
      }
      // CAST: a comparison reads nothing else of a chain.
      const chain = { config, adapter } as unknown as Chain
      const found = compareBalances({ chain, seen, why: null }, booksOf({}))
      return found.find(({ holder }) => holder === 'depository')?.explanation
    }
    expect([offBy(10n ** 9n), offBy(-(10n ** 9n))]).toEqual(Array(2).fill(expect.stringMatching(/rounds/)))
    expect([offBy(10n ** 9n + 1n), offBy(-(10n ** 9n) - 1n), offBy(0n)]).toEqual([null, null, null])
  })
})
