import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { expect, test } from 'vitest'
import { commonChainOptions, commonChainSettings, firstHeight } from './commonChainOptions.js'

const DEFAULTS = { pollIntervalMs: 5000, rpcTimeoutMs: 10_000 }
const schema = Type.Object(
  {
    ...commonChainOptions(DEFAULTS, { pollIntervalMs: 'How often blocks are asked for' }),
    startSlot: firstHeight('slot'),
  },
  { additionalProperties: false },
)

test('a package has the common options that it gives defaults for, and no others', () => {
  expect(Object.keys(schema.properties)).toEqual(['pollIntervalMs', 'rpcTimeoutMs', 'startSlot'])
  expect(Value.Default(schema, {})).toEqual(DEFAULTS)
  expect(Value.Check(schema, { endpointCheckMs: 5000 })).toBe(false)
})

test('each is described, in words of its own where the chain has some', () => {
  const { pollIntervalMs, rpcTimeoutMs, startSlot } = schema.properties
  expect([pollIntervalMs.description, rpcTimeoutMs.description, startSlot.description]).toEqual([
    'How often blocks are asked for',
    'Time limit of one request',
    'First slot to read when there is no cursor; without it, the tip',
  ])
})

test('values that no chain could work with are refused', () => {
  for (const wrong of [{ pollIntervalMs: 19 }, { rpcTimeoutMs: 99 }, { rpcTimeoutMs: 100.5 }, { startSlot: -1 }]) {
    expect(Value.Check(schema, wrong)).toBe(false)
  }
  expect(Value.Check(schema, { pollIntervalMs: 20, rpcTimeoutMs: 100, startSlot: 0 })).toBe(true)
})

test('settings are what is configured, else the defaults', () => {
  expect(commonChainSettings({ pollIntervalMs: 50 }, DEFAULTS)).toEqual({ pollIntervalMs: 50, rpcTimeoutMs: 10_000 })
  const others = { endpointCheckMs: 5000, maxHeadAgeSeconds: 60 }
  const settings = commonChainSettings({ maxHeadAgeSeconds: 0 }, others)
  expect(settings).toEqual({ endpointCheckMs: 5000, maxHeadAgeSeconds: 0 })
})
