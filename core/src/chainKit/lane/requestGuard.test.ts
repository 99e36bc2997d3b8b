import { expect, test } from 'vitest'
import { judgeRequests, readRequestGuard, requestGuard } from './requestGuard.js'

const HASH = `0x${'ab'.repeat(32)}` as const
const OTHER = `0x${'cd'.repeat(32)}` as const

test('a guard names its request and until when it can be used', () => {
  expect(readRequestGuard(requestGuard(HASH, 1_700_000_000))).toEqual({ hash: HASH, expiration: 1_700_000_000 })
  for (const other of ['nonce:0xab:5', `request:${HASH}`, `request:${HASH}:5x`, `${requestGuard(HASH, 5)}:6`]) {
    expect(readRequestGuard(other)).toBeNull()
  }
})

test('a payout lives while a request that anybody could submit lives, and has landed when one was used', async () => {
  const guards = ['nonce:0xab:5', requestGuard(HASH, 100), requestGuard(OTHER, 200)]
  const judge = (now: number, used: readonly string[] = []) =>
    judgeRequests(guards, {
      isUsed: async (hash) => used.includes(hash),
      hasExpired: (expiration) => now > expiration,
    })
  expect([await judge(100), await judge(101), await judge(200), await judge(201)]).toEqual([
    'alive',
    'alive',
    'alive',
    'dead',
  ])
  expect([await judge(150, [OTHER]), await judge(300, [HASH])]).toEqual(['landed', 'landed'])
  expect(await judgeRequests(['nonce:0xab:5'], { isUsed: async () => true, hasExpired: () => false })).toBe('dead')
})
