import { expect, it } from 'vitest'
import { ANONYMOUS, type Caller } from './integratorAuth.js'
import { ownsAs } from './keyOwnership.js'

const caller: Caller = { kind: 'integrator', integratorId: 'a', apiKeyId: 'k', keyName: null, elevated: false }

it('owner fields are for the owning integrator alone, never for a caller whose key an origin brought', () => {
  expect(ownsAs(caller, 'a')).toBe(true)
  expect(ownsAs({ ...caller, proxied: false }, 'a')).toBe(true)
  expect(ownsAs({ ...caller, proxied: true }, 'a')).toBe(false)
  expect(ownsAs(caller, 'b')).toBe(false)
  expect(ownsAs(caller, null)).toBe(false)
  expect(ownsAs(ANONYMOUS, null)).toBe(false)
})
