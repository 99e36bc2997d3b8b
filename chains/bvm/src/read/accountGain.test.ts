import { expect, test } from 'vitest'
import type { ChainTransaction } from '../rpc/chainTransaction.js'
import { scriptGain } from './accountGain.js'

const [own, other] = [Uint8Array.of(0x51), Uint8Array.of(0x52)]
const block = { height: 5n, hash: '0b', time: 1 }

const transaction = (
  spent: readonly (readonly [Uint8Array, bigint])[],
  paid: readonly (readonly [Uint8Array, bigint])[],
): ChainTransaction => ({
  id: 'aa',
  inputs: spent.map(([script, value], at) => ({
    outpoint: { txId: 'bb', index: at } as never,
    previous: { script, value },
    sequence: 0,
  })),
  outputs: paid.map(([script, value]) => ({ script, value })),
  block,
})

test('what others pay a script is its gain, over all outputs', () => {
  const paid = transaction(
    [[other, 1_000n]],
    [
      [own, 300n],
      [other, 200n],
      [own, 400n],
    ],
  )
  expect(scriptGain(paid, own)).toBe(700n)
})

test('what it pays others is taken out; change and the network fee are not', () => {
  const out = transaction(
    [
      [own, 600n],
      [own, 400n],
    ],
    [
      [other, 250n],
      [own, 700n],
    ],
  )
  expect(scriptGain(out, own)).toBe(-250n)
})

test('a transaction that others pay along for, or that is in no block, tells nothing', () => {
  expect(
    scriptGain(
      transaction(
        [
          [own, 600n],
          [other, 400n],
        ],
        [[own, 900n]],
      ),
      own,
    ),
  ).toBeNull()
  expect(scriptGain({ ...transaction([[other, 10n]], [[own, 9n]]), block: null }, own)).toBeNull()
})
