import { expect, it } from 'vitest'
import type { EndpointHealth } from './endpoint/endpointHealth.js'
import { witnessedHeight } from './settledHeight.js'

const at = (provider: string, head?: string, state: EndpointHealth['state'] = 'ok'): EndpointHealth => ({
  ...{ name: provider, provider, state, headAgeMs: null },
  ...(head === undefined ? {} : { head }),
})

it.each([
  ['one of three is far ahead', [at('a', '100'), at('b', '140'), at('c', '99')], 140n, 100n],
  ['one of two is far ahead', [at('a', '140'), at('b', '100')], 140n, 100n],
  ['one that lags holds up nobody', [at('a', '100'), at('b', '100'), at('c', '7')], 100n, 100n],
  ['the head is newer than the last comparison', [at('a', '100'), at('b', '101')], 103n, 100n],
  ['the head is older than it', [at('a', '100'), at('b', '101')], 98n, 98n],
  ['two endpoints of one provider are one', [at('a', '140'), at('a', '140'), at('b', '100')], 140n, 100n],
  ['the only one that answers', [at('a', '140'), at('b', '100', 'down')], 140n, 140n],
  ['one that is not trusted has no vote', [at('a', '140', 'distrusted'), at('b', '100'), at('c', '99')], 140n, 99n],
  ['none has shown a head yet', [at('a'), at('b')], 5n, 5n],
])('F131: the height that a second provider has shown too: %s', (_, endpoints, tip, height) => {
  expect(witnessedHeight({ endpoints: () => endpoints }, tip)).toBe(height)
})

it('a chain that does not tell of its endpoints is believed', () => {
  expect(witnessedHeight({}, 5n)).toBe(5n)
})
