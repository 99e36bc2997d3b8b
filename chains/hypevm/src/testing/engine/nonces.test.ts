import { expect, it } from 'vitest'
import { Nonces } from './nonces.js'

const NOW = 1_790_000_000_000
const DAY = 86_400_000

const used = (...nonces: readonly number[]) => {
  const all = new Nonces().of('0x1')
  for (const nonce of nonces) all.use(nonce)
  return all
}

it('a nonce is within a window around the clock', () => {
  const nonces = used()
  const [least, most] = [NOW - 2 * DAY + 120_000, NOW + DAY - 120_000]
  for (const nonce of [least, NOW, most]) expect(() => nonces.check(nonce, NOW)).not.toThrow()
  const low = least - 1
  const high = most + 1
  expect(() => nonces.check(low, NOW)).toThrow(`Invalid nonce: nonce too low ${low} < ${least}`)
  expect(() => nonces.check(high, NOW)).toThrow(`Invalid nonce: nonce too high ${high} > ${most}`)
})

it('a nonce is above the smallest of the 100 largest ones, and counts once', () => {
  const nonces = used(...Array.from({ length: 99 }, (_, at) => NOW + at))
  expect(() => nonces.check(NOW - 20, NOW)).not.toThrow()
  nonces.use(NOW - 20)
  expect(() => nonces.check(NOW - 21, NOW)).toThrow('nonce too low')
  nonces.use(NOW + 99)
  // A used nonce below the bound stays a duplicate; a new one is too low.
  expect(() => nonces.check(NOW - 20, NOW)).toThrow(`Invalid nonce: duplicate nonce ${NOW - 20}`)
  expect(() => nonces.check(NOW - 10, NOW)).toThrow(`Invalid nonce: nonce too low ${NOW - 10} < ${NOW}`)
})

it('signers have nonces of their own', () => {
  const nonces = new Nonces()
  nonces.of('0x1').use(NOW)
  expect(() => nonces.of('0x1').check(NOW, NOW)).toThrow('duplicate')
  expect(() => nonces.of('0x2').check(NOW, NOW)).not.toThrow()
})
