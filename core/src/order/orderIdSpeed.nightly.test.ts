import { expect, it } from 'vitest'
import { computeOrderId } from './computeOrderId.js'
import { orderVector } from './fixtures/orderVectors.js'
import { viemOrderId } from './fixtures/viemOrderId.js'

const rounds = 9
const timesPerRound = 30
const goal = 5

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

function timeOf(work: () => void): number {
  const start = performance.now()
  for (let time = 0; time < timesPerRound; time++) work()
  return (performance.now() - start) / timesPerRound
}

it('an order id, address encoding included, costs at most a fifth of the struct hash of viem alone', {
  retry: 4,
}, () => {
  const { order, chains, normalized, orderId } = orderVector('evm-erc20-with-call-and-fee')
  const ours = () => computeOrderId(order, chains)
  const theirs = () => viemOrderId(normalized)
  expect([ours(), theirs()]).toEqual([orderId, orderId])
  for (let warmUp = 0; warmUp < 3; warmUp++) {
    timeOf(ours)
    timeOf(theirs)
  }
  const oursMs: number[] = []
  const theirsMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    oursMs.push(timeOf(ours))
    theirsMs.push(timeOf(theirs))
  }
  const ratio = median(theirsMs) / median(oursMs)
  console.info(
    `order id ${(median(oursMs) * 1000).toFixed(0)} us, viem ${(median(theirsMs) * 1000).toFixed(0)} us, ratio ${ratio.toFixed(1)}`,
  )
  expect(ratio).toBeGreaterThanOrEqual(goal)
})
