import { selectUTXO } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NETWORKS } from '../../address/networks.js'
import { addressOfScript, readScript } from '../../address/scriptAddress.js'
import type { Coin } from './coin.js'
import { dustLimit } from './dust.js'
import { boundRate, feeOf, rateOfText } from './feeRate.js'
import { isSelection, selectCoins } from './selectCoins.js'
import { MAX_WEIGHT, transactionWeight, virtualSize } from './sizes.js'
import { spendable } from './spendable.js'

const script = (fill: number) => Uint8Array.from([0, 20, ...new Array(20).fill(fill)])
const taproot = Uint8Array.from([0x51, 32, ...new Array(32).fill(7)])
const legacy = Uint8Array.from([0x76, 0xa9, 20, ...new Array(20).fill(7), 0x88, 0xac])
const nested = Uint8Array.from([0xa9, 20, ...new Array(20).fill(7), 0x87])
const change = script(9)

const coin = (value: bigint, at: number, of = script(7)): Coin => ({
  txId: at.toString(16).padStart(64, '0'),
  index: at % 3,
  value,
  script: of,
  height: 1n,
})

const coins = fc
  .array(fc.tuple(fc.bigInt({ min: 200n, max: 300_000n }), fc.constantFrom(script(7), taproot, legacy)), {
    maxLength: 30,
  })
  .map((parts) => parts.map(([value, of], at) => coin(value, at, of)))
const rates = fc.bigInt({ min: 1000n, max: 100_000n })
const amounts = fc.bigInt({ min: 600n, max: 1_000_000n })

describe('chains.md bvm 5: coins, fee and change', () => {
  test('what goes in comes out: payment, change and a fee that meets the rate; change is never dust', () => {
    fc.assert(
      fc.property(coins, amounts, rates, (coins, value, rate) => {
        const outputs = [{ script: script(1), value }]
        const result = selectCoins({ coins, outputs, change, rate })
        if (!isSelection(result)) return
        const sum = result.coins.reduce((total, { value }) => total + value, 0n)
        expect(sum).toBe(value + result.change + result.fee)
        expect(new Set(result.coins).size).toBe(result.coins.length)
        const scripts = [script(1), ...(result.change > 0n ? [change] : [])]
        const kinds = result.coins.flatMap(({ script }) => readScript(script)?.kind ?? [])
        const size = virtualSize(transactionWeight(kinds, scripts))
        expect(result.size).toBe(size)
        expect(result.fee).toBeGreaterThanOrEqual(feeOf(size, rate))
        expect(result.change === 0n || result.change >= dustLimit(change)).toBe(true)
        // Nothing is given to the network but what change could not hold.
        expect(result.fee - feeOf(size, rate)).toBeLessThan(dustLimit(change) + feeOf(31n, rate) + 1n)
      }),
    )
  })

  test('it refuses only when all coins that are worth their fee are not enough', () => {
    fc.assert(
      fc.property(coins, amounts, rates, (coins, value, rate) => {
        const result = selectCoins({ coins, outputs: [{ script: script(1), value }], change, rate })
        if (isSelection(result)) return
        const all = selectCoins({ coins, outputs: [{ script: script(1), value: 600n }], change, rate })
        const most = isSelection(all) ? result.available : 0n
        expect(value + feeOf(60n, rate)).toBeGreaterThan(most - feeOf(BigInt(coins.length) * 149n + 60n, rate))
        expect(result.tooMany).toBe(false)
      }),
    )
  })

  test('another library finds a selection nowhere that this one does not, and counts the same size', () => {
    const network = NETWORKS.mainnet
    const address = addressOfScript(change, network) ?? ''
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 2000n, max: 90_000n }), { maxLength: 8 }), amounts, (values, value) => {
        const coins = values.map((value, at) => coin(value, at))
        const other = selectUTXO(
          coins.map(({ txId, index, value, script }) => ({
            txid: txId,
            index,
            witnessUtxo: { script, amount: value },
          })),
          [{ script: script(1), amount: value }],
          'default',
          { feePerByte: 5n, changeAddress: address, createTx: false, bip69: false, dust: 294n, dustRelayFeeRate: 1n },
        )
        if (other === undefined) return
        expect(isSelection(selectCoins({ coins, outputs: [{ script: script(1), value }], change, rate: 5000n }))).toBe(
          true,
        )
        const scripts = [script(1), ...(other.change ? [change] : [])]
        const kinds = other.inputs.map(() => 'p2wpkh' as const)
        expect(Math.abs(transactionWeight(kinds, scripts) - other.weight)).toBeLessThanOrEqual(2 * other.inputs.length)
      }),
      { numRuns: 50 },
    )
  })

  test('one coin that is enough is taken alone, and the smallest such', () => {
    const result = selectCoins({
      coins: [90_000n, 20_000n, 500_000n, 12_000n].map((value, at) => coin(value, at)),
      outputs: [{ script: script(1), value: 10_500n }],
      change,
      rate: 2000n,
    })
    expect(isSelection(result) && result.coins.map(({ value }) => value)).toEqual([12_000n])
  })

  test('a coin that costs more than it brings is left, and counts as nothing', () => {
    const dusty = Array.from({ length: 50 }, (_, at) => coin(600n, at))
    const result = selectCoins({ coins: dusty, outputs: [{ script: script(1), value: 1000n }], change, rate: 10_000n })
    expect(result).toMatchObject({ available: 0n, tooMany: false })
  })

  test('more coins than a transaction holds are told from too little money', () => {
    const many = Array.from({ length: 5000 }, (_, at) => coin(1000n, at))
    const result = selectCoins({
      coins: many,
      outputs: [{ script: script(1), value: 3_000_000n }],
      change,
      rate: 1000n,
    })
    expect(result).toMatchObject({ tooMany: true })
    const inputs = Math.floor(MAX_WEIGHT / 272)
    const fits = selectCoins({
      coins: many,
      outputs: [{ script: script(1), value: BigInt(inputs - 20) * 900n }],
      change,
      rate: 1000n,
    })
    expect(isSelection(fits)).toBe(true)
  })

  test('10,000 coins take less than 50 ms of a processor', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => coin(BigInt(1000 + ((at * 7919) % 100_000)), at))
    const shared = many.map((coin) => ({ ...coin, script: change }))
    const times = [1_000_000n, 50_000n, 60_000_000n, 5_000_000_000n, 2_000_000n, 70_000_000n].map((value) => {
      const begin = process.cpuUsage()
      selectCoins({ coins: shared, outputs: [{ script: script(1), value }], change, rate: 3000n })
      const { user, system } = process.cpuUsage(begin)
      return (user + system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(50)
  })
})

test('chains.md bvm 5: dust limits are those of the default relay fee', () => {
  expect([script(1), taproot, legacy, nested].map(dustLimit)).toEqual([294n, 330n, 546n, 540n])
  expect(dustLimit(Uint8Array.from([0x6a, 1, 1]))).toBe(0n)
})

test('fee rates: a floor of 1 sat/vB, a cap, and text without rounding down', () => {
  const bounds = { floor: 1n, cap: 50_000n }
  expect([0n, 999n, 1500n, 900_000n].map((rate) => boundRate(rate, bounds))).toEqual([1000n, 1000n, 1500n, 50_000n])
  expect(['1', '87.882', '1.0001', '0.5'].map(rateOfText)).toEqual([1000n, 87_882n, 1001n, 500n])
  for (const text of ['', '-1', 'NaN', '1e3', 'undefined']) expect(() => rateOfText(text)).toThrow(/fee rate/)
})

test('locked, immature and strangers’ unconfirmed coins are never spent; our own change is', () => {
  const [free, locked, stranger, own, young, old] = [1, 2, 3, 4, 5, 6].map((at) => coin(1000n, at)) as [
    Coin,
    Coin,
    Coin,
    Coin,
    Coin,
    Coin,
  ]
  const all: Coin[] = [
    free,
    locked,
    { ...stranger, height: null },
    { ...own, height: null },
    { ...young, height: 2n, coinbase: true },
    { ...old, height: 1n, coinbase: true },
  ]
  const rules = { tip: 100n, locked: new Set([`${locked.txId}:${locked.index}`]), own: new Set([own.txId]) }
  expect(spendable(all, rules).map(({ txId }) => txId)).toEqual([free.txId, own.txId, old.txId])
})
