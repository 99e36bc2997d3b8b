import { describe, it } from 'vitest'
import { expectOneToWait, usePoisonedHost } from './poisonedHost.js'

usePoisonedHost()

describe('F126: one order of which a call of the adapter goes wrong', () => {
  it('simulate throws: only this order waits, and it is told; the lane pays the others, and this one once the chain is well', () =>
    expectOneToWait('simulate', 'throws', 'request'))
})
