import { describe, expect, it } from 'vitest'
import { at, chains } from './chainStandIn.test.support.js'
import { readImport } from './readImport.js'

const good = { chainId: 1, address: at('AA'), symbol: 'AAA', name: 'A coin', decimals: 6 }

describe('readImport', () => {
  it('takes good entries with the canonical address and the VM of the chain', () => {
    expect(readImport(chains, [good])).toEqual({
      rows: [{ ...good, address: at('aa'), vmType: 'evm' }],
      problems: [],
    })
  })

  it('names every problem with its position, not only the first (wire.md K.5 1)', () => {
    const { problems } = readImport(chains, [
      { ...good, decimals: 'six' },
      good,
      { ...good, address: 'nonsense' },
      { ...good, address: at('aa') },
      { ...good, chainId: 5 },
      { ...good, vmType: 'svm' },
      7,
      { chainId: 1 },
    ])
    expect(problems).toEqual([
      expect.stringMatching(/^entry 1\.decimals must be integer/),
      'entry 3.address is not an address of chain 1',
      'entry 4 repeats entry 2',
      'entry 5.vmType is required, since chain 5 is not configured',
      'entry 6.vmType is svm, but chain 1 is evm',
      expect.stringMatching(/^entry 7 must be object/),
      expect.stringMatching(/^entry 8\.address is required/),
    ])
  })

  it('wants an array', () => {
    expect(readImport(chains, {}).problems).toHaveLength(1)
  })
})
