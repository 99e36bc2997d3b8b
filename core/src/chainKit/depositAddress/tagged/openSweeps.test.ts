import { expect, it } from 'vitest'
import { OpenSweeps } from './openSweeps.js'

const openOf = (): OpenSweeps => {
  const open = new OpenSweeps()
  open.drafted('7', 'XRP', { number: 5n, until: 120n })
  open.signing()
  return open
}

it('a signed sweep holds its tag and currency until its last ledger was read, and no other', () => {
  const open = openOf()
  expect(open.knownFrom('7', 'XRP', 119n)).toBeNull()
  expect([open.knownFrom('8', 'XRP', 119n), open.knownFrom('7', 'USD', 119n)]).toEqual([0n, 0n])
  expect(open.knownFrom('7', 'XRP', 120n)).toBe(120n)
})

it('a ledger that shows its number used up says what became of it, once the account was read so far', () => {
  const open = openOf()
  open.used(6n, 103n)
  expect(open.knownFrom('7', 'XRP', 110n)).toBeNull()
  open.used(5n, 104n)
  open.used(5n, 109n)
  expect(open.knownFrom('7', 'XRP', 100n)).toBe(104n)
  expect(open.knownFrom('7', 'XRP', 104n)).toBe(104n)
  expect(open.knownFrom('7', 'XRP', 104n)).toBe(0n)
})

it('a version at a higher fee has the same number', () => {
  const open = openOf()
  open.drafted('7', 'XRP', { number: 5n, until: 125n })
  open.signing()
  open.used(5n, 104n)
  expect(open.knownFrom('7', 'XRP', 105n)).toBe(104n)
})

it('one that was never signed holds nothing, and gives way to the next', () => {
  const open = new OpenSweeps()
  open.drafted('7', 'XRP', { number: 5n, until: 120n })
  expect(open.knownFrom('7', 'XRP', 100n)).toBe(0n)
  open.drafted('7', 'XRP', { number: 6n, until: 121n })
  open.signing()
  open.used(5n, 101n)
  expect(open.knownFrom('7', 'XRP', 101n)).toBeNull()
})
