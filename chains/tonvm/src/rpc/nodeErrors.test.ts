import { describe, expect, it } from 'vitest'
import { isLacking, sendResult } from './nodeErrors.js'

const refused = (code: string) =>
  `LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by account:\nexitcode=${code}`

describe('an error of a node', () => {
  it.each([
    ['LITE_SERVER_UNKNOWN: seqno not in db', true],
    ['LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time: lt not in db', true],
    ['LITE_SERVER_UNKNOWN: transaction hash mismatch', true],
    ['Ratelimit exceed', false],
    ['Internal Error', false],
  ])('%s', (why, lacking) => expect(isLacking(why)).toBe(lacking))

  it.each([
    // Another number may come first, so the payment may still land.
    ['133', 'unknown'],
    ['136', 'expired'],
    ['135', 'rejected'],
    ['-14', 'rejected'],
  ])('exit code %s is %s', (code, outcome) => expect(sendResult(refused(code)).outcome).toBe(outcome))

  it('of another kind leaves open whether the message was passed on', () => {
    expect(sendResult('LITE_SERVER_NETWORKtimeout(adnl query)').outcome).toBe('unknown')
  })
})
