import { readFileSync } from 'node:fs'
import type { Hex } from '@causeway/core'
import { describe, expect, test } from 'vitest'
import { feeOf, hasFailed, hasSucceeded, minedReceipt, type ShownReceipt } from './receipts.js'
import { quantity, type RpcReceipt } from './wire.js'

const fixture = (name: string) => JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'))

/** Members as a node writes them; the recorded ones are partly numbers. */
type Recorded = Readonly<Record<'gasUsed' | 'effectiveGasPrice' | 'l1Fee', string | number>> &
  Readonly<Partial<Record<'operatorFeeScalar' | 'operatorFeeConstant', string>>>

const LOG = {
  address: `0x${'70'.repeat(20)}`,
  topics: [],
  data: '0x',
  blockNumber: '0x9',
  blockHash: '0xb1',
  transactionHash: '0xaa',
  logIndex: '0x0',
} as const

const WHOLE: RpcReceipt = {
  transactionHash: '0xaa',
  blockHash: '0xb1',
  blockNumber: '0x9',
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x3',
  from: '0x5e',
  to: '0xde',
  logs: [LOG],
}

describe('the fee of a rollup is booked whole', () => {
  const recorded = fixture('rollupReceipts').receipts as readonly [Recorded, Recorded]
  const hex = (value: string | number): Hex => quantity(BigInt(value))
  const receiptOf = ({ gasUsed, effectiveGasPrice, l1Fee, ...operator }: Recorded): RpcReceipt => ({
    ...WHOLE,
    ...(operator as object),
    gasUsed: hex(gasUsed),
    effectiveGasPrice: hex(effectiveGasPrice),
    l1Fee: hex(l1Fee),
  })
  const [bedrock, isthmus] = recorded

  test('OP Stack: gas and data; since Isthmus, the operator fee, as the balance showed it', () => {
    expect(feeOf(receiptOf(bedrock), null)).toBe(228_719n * 58n + 44_700_351_261_503n)
    expect(feeOf(receiptOf(isthmus), null)).toBe(128_781_093_286_213n + 422n)
  })

  test('OP Stack since Jovian: a hundred times the scaled gas', () => {
    const jovian = { ...receiptOf(isthmus), daFootprintGasScalar: '0x190' } as const
    expect(feeOf(jovian, null)).toBe(128_781_093_286_213n + 0x12448n * 300n * 100n + 400n)
  })

  test('Arbitrum: the part for the parent chain is within the gas used', () => {
    const arbitrum = { ...WHOLE, gasUsed: '0x186a0', gasUsedForL1: '0xc350' } as const
    expect(feeOf(arbitrum, null)).toBe(300_000n)
  })

  test('a price that the receipt does not tell is that of the transaction; a fee that is null is none', () => {
    const untold = { ...WHOLE, effectiveGasPrice: null, l1Fee: null, operatorFeeScalar: null } as const
    expect(feeOf(untold, { gasPrice: '0x7' })).toBe(147_000n)
    expect(feeOf(untold, { maxFeePerGas: '0x9' })).toBe(189_000n)
    expect(feeOf(untold, null)).toBe(0n)
  })
})

describe('receipts as nodes show them', () => {
  type Odd = { readonly method: string; readonly part?: Readonly<Record<string, unknown>>; readonly seen: string }
  const odd = (fixture('oddAnswers').answers as readonly Odd[]).filter(
    ({ method, part }) => method === 'eth_getTransactionReceipt' && part !== undefined,
  )
  const shown = (part: object): ShownReceipt => {
    const { status, ...rest } = { ...WHOLE, ...part } as ShownReceipt
    // Recorded as a sentence: the member is missing.
    return String(status).startsWith('absent') ? rest : { ...rest, status }
  }

  test.each(odd.map(({ part, seen }) => [seen, part ?? {}] as const))('of %s are read', (_, part) => {
    const receipt = minedReceipt(shown(part))
    if ('blockHash' in part) return expect(receipt).toBeNull()
    expect(receipt?.logs).toEqual('logs' in part ? [] : [LOG])
    expect(receipt !== null && hasSucceeded(receipt)).toBe(true)
    expect(receipt === null ? 0n : feeOf(receipt, null)).toBe(63_000n)
  })

  test('without status and logs a receipt says neither that it succeeded nor that it failed', () => {
    for (const status of [null, undefined]) {
      const receipt = minedReceipt({ ...WHOLE, status, logs: [] } as ShownReceipt)
      if (receipt === null) throw new Error('Expected a receipt')
      expect([hasSucceeded(receipt), hasFailed(receipt)]).toEqual([false, false])
    }
    expect([hasSucceeded({ ...WHOLE, status: '0x0' }), hasFailed({ ...WHOLE, status: '0x0' })]).toEqual([false, true])
    expect([hasSucceeded(WHOLE), hasFailed(WHOLE)]).toEqual([true, false])
    expect(minedReceipt(null)).toBeNull()
  })
})
