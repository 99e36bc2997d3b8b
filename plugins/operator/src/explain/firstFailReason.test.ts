import { expect, it } from 'vitest'
import { firstFailReason } from './firstFailReason.js'

const ID = `0x${'1'.repeat(64)}` as const
const OTHER = `0x${'2'.repeat(64)}` as const

const event = (status: string, failReason: string, request_id: typeof ID | typeof OTHER = ID) => ({
  request_id,
  status,
  payload: JSON.stringify({ failReason }),
})
const byHand = { id: ID, fail_reason: 'MANUAL_ADMIN_REFUND' }

it('is what the failure said before an operator sent the money back', () => {
  const events = [event('pending', 'N/A'), event('failure', 'SLIPPAGE'), event('refund', 'MANUAL_ADMIN_REFUND')]
  expect(firstFailReason(byHand, events)).toBe('SLIPPAGE')
})

it('stays the same where a refund by hand failed once', () => {
  expect(firstFailReason(byHand, [event('failure', 'SLIPPAGE'), event('failure', 'MANUAL_ADMIN_REFUND')])).toBe(
    'SLIPPAGE',
  )
})

it.each([
  ['nothing took the place of the reason', { id: ID, fail_reason: 'SLIPPAGE' }, [event('failure', 'SLIPPAGE')]],
  ['the event is gone', byHand, [event('refund', 'MANUAL_ADMIN_REFUND')]],
  ['it is of another request', byHand, [event('failure', 'SLIPPAGE', OTHER)]],
])('is none where %s', (_case, request, events) => {
  expect(firstFailReason(request, events)).toBeNull()
})
