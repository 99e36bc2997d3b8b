import { expect, it } from 'vitest'
import { runDemo } from './runDemo.js'

it('moves value, refunds, earns, sponsors, pays a claim, fills ahead of a deposit, sends for accounts without gas, survives a kill and balances its books (architecture.md 7, faults.md)', async () => {
  const { code, output, last } = await runDemo([])
  expect(last, output).toEqual({
    ok: true,
    transfers: expect.any(Array),
    refunds: 1,
    claims: 1,
    fastFills: 1,
    gasless: 2,
    killed: true,
    ledgerBalanced: true,
    totalSeconds: expect.any(Number),
  })
  expect(code).toBe(0)
  const { transfers } = last
  expect(transfers).toHaveLength(53)
  const transfer = {
    requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    status: 'success',
    quoteMs: expect.any(Number),
    depositToFillMs: expect.any(Number),
  }
  expect(transfers).toEqual(Array.from({ length: 53 }, () => transfer))
}, 600_000)
