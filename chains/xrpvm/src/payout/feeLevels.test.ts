import { describe, expect, it } from 'vitest'
import { readFeeLevels } from '../rpc/serverInfo.js'
import { feeToOffer, outbidding } from './feeLevels.js'

const answer = (open: string, minimum = '10') => ({
  drops: { base_fee: '10', median_fee: '5000', minimum_fee: minimum, open_ledger_fee: open },
})

describe('what servers ask', () => {
  it('is never below the least that they take', () => {
    expect(readFeeLevels(answer('5'))).toEqual({ least: 10n, open: 10n })
    expect(readFeeLevels(answer('700', '20'))).toEqual({ least: 20n, open: 700n })
    expect(() => readFeeLevels({ drops: { base_fee: 10 } })).toThrow()
  })
})

describe('the fee to offer', () => {
  it('is a quarter above the open ledger, rounded up, and never more than may be paid', () => {
    expect(feeToOffer({ least: 10n, open: 10n }, 5000n)).toBe(13n)
    expect(feeToOffer({ least: 10n, open: 1000n }, 5000n)).toBe(1250n)
    expect(feeToOffer({ least: 10n, open: 900_000n }, 5000n)).toBe(5000n)
  })

  it('is none where even a place in the queue costs more (faults.md F124)', () => {
    expect(feeToOffer({ least: 11n, open: 11n }, 10n)).toBeNull()
    expect(feeToOffer({ least: 10n, open: 10n }, 10n)).toBe(10n)
  })
})

describe('a fee that outbids another', () => {
  it('is at least a quarter above it, as the queue asks, and what the open ledger takes', () => {
    expect(outbidding(13n, { least: 10n, open: 10n }, 5000n)).toBe(17n)
    expect(outbidding(13n, { least: 10n, open: 800n }, 5000n)).toBe(1000n)
    expect(outbidding(0n, { least: 0n, open: 0n }, 5000n)).toBe(1n)
  })

  it('is none above what may be paid, and never less than the quarter for its sake', () => {
    expect(outbidding(4000n, { least: 10n, open: 10n }, 5000n)).toBe(5000n)
    expect(outbidding(4001n, { least: 10n, open: 10n }, 5000n)).toBeNull()
  })
})
