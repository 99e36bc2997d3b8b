import { expect, it } from 'vitest'
import { isLeaseOver, type Lease } from './leases.js'

const leaseOf = (until?: number): Lease => ({
  name: 'lane',
  epoch: 1n,
  signal: new AbortController().signal,
  ...(until === undefined ? {} : { until: () => until }),
})

it('F121: a process that slept past its lease knows so before any timer has told it', () => {
  expect(isLeaseOver(leaseOf(performance.now() + 60_000))).toBe(false)
  expect(isLeaseOver(leaseOf(performance.now() - 1))).toBe(true)
  expect(isLeaseOver(leaseOf())).toBe(false)
  expect(isLeaseOver({ ...leaseOf(performance.now() + 60_000), signal: AbortSignal.abort() })).toBe(true)
})
