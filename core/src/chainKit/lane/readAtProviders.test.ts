import { expect, test } from 'vitest'
import { ServiceError } from '../../errors/serviceError.js'
import { type ProviderReading, readAtProviders } from './readAtProviders.js'

interface Sent {
  readonly id: string
  readonly block: number | null
}

const read = (shown: readonly (ProviderReading<Sent> | null)[], providerCount = shown.length) =>
  readAtProviders(
    { providers: shown, providerCount },
    async (reading) => {
      if (reading === null) throw new ServiceError('RPC_HTTP_ERROR', 'It is away.')
      return reading
    },
    ({ id, block }) => ({ id, included: block !== null }),
  )

const whole = (...found: readonly Sent[]): ProviderReading<Sent> => ({ found, complete: true })
const partial = (gap: string, ...found: readonly Sent[]): ProviderReading<Sent> => ({ found, complete: false, gap })

test('F107: what one provider leaves out another one shows, each transaction once, in a block where one shows it in one', async () => {
  const { found, complete } = await read([
    whole({ id: 'a', block: null }, { id: 'b', block: 2 }),
    whole({ id: 'a', block: 1 }, { id: 'c', block: null }),
    whole({ id: 'b', block: null }),
  ])
  expect(found).toEqual([
    { id: 'a', block: 1 },
    { id: 'b', block: 2 },
    { id: 'c', block: null },
  ])
  expect(complete).toBe(true)
})

test('two must show all where two are configured; else the first reason is told', async () => {
  expect(await read([whole(), whole(), partial('gone')])).toMatchObject({ complete: true })
  expect(await read([whole(), partial('gone'), partial('late')])).toMatchObject({ complete: false, gap: 'gone' })
  expect(await read([whole()])).toMatchObject({ complete: true })
  expect('gap' in (await read([{ found: [], complete: false }]))).toBe(false)
})

test('a lane is not read by one provider alone where two are configured', async () => {
  await expect(read([whole(), null])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(read([whole()], 2)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(read([])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await read([whole(), null, whole()])).complete).toBe(true)
})

test('F131: where the first endpoint of a provider does not answer, its next one does; both are one voice', async () => {
  const endpoints = ['odd', 'well'] as const
  const answer = async (endpoint: (typeof endpoints)[number]) => {
    if (endpoint === 'odd') throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
    return { found: [endpoint], complete: true }
  }
  const name = (item: string) => ({ id: item, included: true })
  const one = { providers: ['odd'] as const, providerCount: 1, othersOf: () => ['well'] as const }
  expect(await readAtProviders(one, answer, name)).toMatchObject({ found: ['well'], complete: true })
  await expect(readAtProviders({ ...one, othersOf: () => [] }, answer, name)).rejects.toThrow('Too few nodes')
})
