import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ServiceError } from '../../errors/serviceError.js'
import { SecondReader } from './secondReader.js'

const node = (name: string) => ({ name, provider: name })
const logger = pino({ level: 'silent' })
const readerOf = (names: readonly string[]) => {
  const providers = names.map(node)
  return new SecondReader({ pool: { providers, ordered: () => providers }, unit: 'Blocks', logger })
}

test('F107: each provider but the one that is read from has its turn', async () => {
  const reader = readerOf(['read', 'two', 'three'])
  const asked: (string | undefined)[] = []
  for (let turn = 0; turn < 4; turn += 1) asked.push((await reader.read(async (endpoint) => endpoint))?.name)
  expect([...asked].sort()).toEqual(['three', 'three', 'two', 'two'])
  expect(asked[0]).not.toBe(asked[1])
})

test('the question is asked without an endpoint where there is no other provider', async () => {
  expect(await readerOf(['read']).read(async (endpoint) => endpoint === null)).toBe(true)
})

test('one that does not answer is passed over, and the next one asked; a mistake of ours is not hidden', async () => {
  const reader = readerOf(['read', 'two', 'three'])
  const away = new ServiceError('RPC_HTTP_ERROR', 'It is away.')
  const seen = async (endpoint: { readonly name: string } | null) => {
    if (endpoint?.name === 'two') throw away
    return endpoint?.name
  }
  const told = [await reader.read(seen), await reader.read(seen)]
  expect(new Set(told)).toEqual(new Set([null, 'three']))
  await expect(reader.read(() => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours')
})
