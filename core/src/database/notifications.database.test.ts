import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { listen } from './notifications.js'

let database: TestDatabase
let over = new AbortController()

beforeAll(async () => {
  database = await createTestDatabase({ packages: [] })
})
afterEach(() => over.abort())
afterAll(() => database.drop())

/** A queue that can be waited on. */
const queueOf = <T>() => {
  const items: T[] = []
  const waiting: ((item: T) => void)[] = []
  return {
    put(item: T) {
      const next = waiting.shift()
      if (next === undefined) items.push(item)
      else next(item)
    },
    take(): Promise<T> {
      const item = items.shift()
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item)
    },
  }
}

const start = (url: string) => {
  over = new AbortController()
  const heard = queueOf<string>()
  const connects = queueOf<true>()
  const listening = listen(
    {
      connectionString: url,
      channels: ['first', 'Second'],
      onNotification: (channel, payload) => heard.put(`${channel}:${payload}`),
      onConnect: () => connects.put(true),
    },
    over.signal,
  )
  return { heard, connects, listening }
}

const notify = (channel: string, payload: string) => database.pool.query('select pg_notify($1, $2)', [channel, payload])
const endListeners = () =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'causeway listen' and datname = current_database()`,
  )

it('hears what other connections tell, on every channel', async () => {
  const { heard, connects, listening } = start(database.url)
  await connects.take()
  await notify('first', 'a')
  await notify('Second', '')
  expect([await heard.take(), await heard.take()]).toEqual(['first:a', 'Second:'])
  over.abort()
  await listening
})

it('connects again after its connection was ended, and says so, since what was told meanwhile is lost', async () => {
  const { heard, connects, listening } = start(database.url)
  for (const round of ['1', '2']) {
    await connects.take()
    await notify('first', round)
    expect(await heard.take()).toBe(`first:${round}`)
    await endListeners()
  }
  await connects.take()
  over.abort()
  await listening
})

it('ends when it is told to, though it never could connect', async () => {
  const { listening } = start('postgres://nobody:wrong@127.0.0.1:1/none')
  over.abort()
  await listening
})
