import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import type { BlockRef } from '../../chain/chainReferences.js'
import { ServiceError } from '../../errors/serviceError.js'
import { AdapterShell, type AdapterShellDeps } from './adapterShell.js'
import type { StartedEndpoint } from './requireUsable.js'

const HEAD = { height: 7n, hash: '0x07', time: 1_700_000_000 }

type Deps = AdapterShellDeps<StartedEndpoint>

/** A shell over parts that write down what was asked of them. */
const shellOf = (changes: Partial<Deps> = {}) => {
  const done: string[] = []
  const listeners = new Set<(head: BlockRef) => void>()
  const note = (name: string) => () => {
    done.push(name)
  }
  const deps: Deps = {
    config: { id: 77 },
    logger: pino({ level: 'silent' }),
    pool: { endpoints: [{ name: 'one', distrust: null }], close: note('close') },
    monitor: {
      check: async () => note('check')(),
      start: note('compare'),
      stop: note('stop comparing'),
      health: () => [{ name: 'one', provider: 'one', state: 'ok', headAgeMs: 5 }],
      onDisagreement: (listener) => listener({ subject: 'deposit', details: 'one says so' }),
    },
    heads: {
      tip: async () => Object.assign({ baseFee: 3n }, HEAD),
      onHead: (listener) => listeners.add(listener),
      stop: note('stop heads'),
    },
    ask: async ({ name }) => note(`ask ${name}`)(),
    follow: note('follow'),
    wake: note('wake'),
    ...changes,
  }
  return { shell: new AdapterShell(deps), done, listeners }
}

const never = (): AbortSignal => new AbortController().signal

test('a start asks every endpoint once, compares them, and then follows the chain; an abort stops it all', async () => {
  const endpoints = ['one', 'two'].map((name) => ({ name, distrust: null }))
  const close = vi.fn()
  const { shell, done } = shellOf({ pool: { endpoints, close } })
  const stop = new AbortController()
  await shell.start(stop.signal)
  expect(done).toEqual(['ask one', 'ask two', 'check', 'compare', 'follow'])
  stop.abort()
  expect(done.slice(5)).toEqual(['stop comparing', 'stop heads'])
  expect(close).toHaveBeenCalledOnce()
})

test('a chain starts while one endpoint is usable, and not when none is', async () => {
  const endpoints = ['one', 'two'].map((name) => ({ name, distrust: null }))
  const away = new ServiceError('RPC_HTTP_ERROR', 'It is away.')
  const half = shellOf({
    pool: { endpoints, close: () => undefined },
    ask: ({ name }) => (name === 'one' ? Promise.reject(away) : Promise.resolve()),
  })
  await half.shell.start(never())
  const none = shellOf({ ask: () => Promise.reject(away) })
  await expect(none.shell.start(never())).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'No node of chain 77 is usable.',
    cause: away,
  })
  expect(none.done).not.toContain('follow')
})

test('an endpoint that the others contradict is of no use to a start', async () => {
  const endpoint = { name: 'one', distrust: null as string | null }
  const { shell } = shellOf({ pool: { endpoints: [endpoint], close: () => undefined } })
  endpoint.distrust = 'It shows another block.'
  await expect(shell.start(never())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('an abort ends a start at once, and nothing is left running after it', async () => {
  const stop = new AbortController()
  let answer: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { shell, done } = shellOf({ ask: () => asked })
  const starting = shell.start(stop.signal)
  stop.abort()
  await starting
  answer()
  await vi.waitFor(() => expect(done).toContain('close'))
  await asked
  await new Promise(setImmediate)
  expect(done).not.toContain('compare')
  expect(done).not.toContain('follow')
})

test('a start that was aborted before asks nobody', async () => {
  const { shell, done } = shellOf()
  await shell.start(AbortSignal.abort())
  expect(done).toEqual(['stop comparing', 'stop heads', 'close'])
})

test('what cannot be followed is stopped again, and may be started another time', async () => {
  const lost = new ServiceError('RPC_HTTP_ERROR', 'No head.')
  let tries = 0
  const follow = () => {
    tries += 1
    if (tries === 1) throw lost
  }
  const { shell, done } = shellOf({ follow })
  const first = new AbortController()
  await expect(shell.start(first.signal)).rejects.toBe(lost)
  expect(done).toEqual(['ask one', 'check', 'compare', 'stop comparing', 'stop heads'])
  await shell.start(never())
  const before = [...done]
  // The signal of the try that failed says nothing about the one that runs.
  first.abort()
  expect(done).toEqual(before)
})

test('heads are told as blocks, whatever else the chain knows of them', async () => {
  const { shell, listeners } = shellOf()
  expect(await shell.tip()).toEqual(HEAD)
  const seen: BlockRef[] = []
  shell.onHead((head) => seen.push(head), never())
  for (const listener of listeners) listener({ ...HEAD, baseFee: 1n } as BlockRef)
  expect(seen).toEqual([HEAD])
})

test('a poke wakes the watcher once the head was asked for, also in vain', async () => {
  const refresh = vi.fn(() => Promise.reject(new Error('away')))
  const parts = { tip: async () => HEAD, onHead: () => undefined, stop: () => undefined }
  const { shell, done } = shellOf({ heads: { ...parts, refresh } })
  shell.poke()
  expect(done).toEqual([])
  await vi.waitFor(() => expect(done).toEqual(['wake']))
  const silent = shellOf()
  silent.shell.poke()
  expect(silent.done).toEqual(['wake'])
})

test('the members work when they are spread into the object that is the adapter', async () => {
  const { shell } = shellOf()
  const { endpoints, onDisagreement, tip } = { ...shell }
  const told: string[] = []
  onDisagreement(({ details }) => told.push(details), never())
  expect([endpoints()[0]?.state, await tip(), told]).toEqual(['ok', HEAD, ['one says so']])
})
