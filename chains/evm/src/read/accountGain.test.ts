import { expect, it } from 'vitest'
import { type CallFrame, moved } from './accountGain.js'

const [OWN, SAFE, CODE] = [`0x${'0a'.repeat(20)}`, `0x${'5a'.repeat(20)}`, `0x${'c0'.repeat(20)}`]
const call = (from: string, to: string, value: bigint, more: Partial<CallFrame> = {}): CallFrame => ({
  type: 'CALL',
  from,
  to,
  value: `0x${value.toString(16)}`,
  ...more,
})

it('what a contract pays on is a gain; a delegate call, which shows the value of its caller, moves nothing', () => {
  const trace = call(CODE, SAFE, 0n, {
    calls: [call(SAFE, CODE, 90n, { type: 'DELEGATECALL', calls: [call(SAFE, OWN, 70n), call(SAFE, CODE, 20n)] })],
  })
  expect(moved(trace, OWN)).toBe(70n)
  expect(moved(call(SAFE, CODE, 0n, { calls: [call(SAFE, OWN, 5n, { type: 'DELEGATECALL' })] }), OWN)).toBe(0n)
  expect(moved(trace, SAFE)).toBe(-90n)
})

it('what was undone moved nothing, with all that it called; what comes back is taken off what went out', () => {
  const undone = call(OWN, CODE, 10n, { error: 'execution reverted', calls: [call(CODE, OWN, 3n)] })
  expect(moved(undone, OWN)).toBe(0n)
  expect(
    moved(call(OWN, CODE, 10n, { calls: [call(CODE, OWN, 3n), call(CODE, OWN, 4n, { error: 'out of gas' })] }), OWN),
  ).toBe(-7n)
})
