import { verifyQuote } from '@causeway/core/verify'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { RealQuote } from './quoteWorld.js'
import { leafAt, leavesOf, type Path, pathText, tampered, withLeaf } from './tamper.js'

/** Words for people, and what only the wallet can judge: how much gas is worth. */
const FREE = /^steps\.\d+\.(action|description|items\.0\.data\.(gas|maxFeePerGas|maxPriorityFeePerGas))$/
/** What the order and the deposit are made of. */
const BOUND =
  /^(requestId|steps\..*|protocol\.v2\.(orderId|orderSignature|orderData\..*|paymentDetails\..*)|details\.(sender|recipient|currencyIn\.(amount|currency\.(address|chainId|vmType))|currencyOut\.(amount|minimumAmount|currency\.(address|chainId|vmType))))$/

const boundLeaves = (quote: unknown): readonly Path[] =>
  leavesOf(quote).filter((path) => BOUND.test(pathText(path)) && !FREE.test(pathText(path)))

/** @throws Error unless a quote with any other value of a leaf is refused */
export const expectEachLeafBound = (real: RealQuote, changes: number): void => {
  const leaves = boundLeaves(real.quote)
  expect(leaves.length).toBeGreaterThan(45)
  for (const path of leaves) {
    const leaf = leafAt(real.quote, path)
    const property = fc.property(tampered(leaf), (other) => {
      // A missing deposit address is the same as an empty one.
      if (path.at(-1) === 'depositAddress' && (other === undefined || other === '')) return
      const verdict = verifyQuote(withLeaf(real.quote, path, other), real.options)
      expect(verdict.ok, `${pathText(path)}: ${String(leaf)} -> ${String(other)}`).toBe(false)
    })
    fc.assert(property, { numRuns: changes })
  }
}
