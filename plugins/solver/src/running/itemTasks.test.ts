import { LeaseLostError } from '@causeway/core/plugin'
import { beforeEach, expect, it, vi } from 'vitest'
import { ItemTasks } from './itemTasks.js'

let late: ReturnType<typeof vi.fn<() => void>>
let tasks: ItemTasks<string>
beforeEach(() => {
  late = vi.fn<() => void>()
  tasks = new ItemTasks<string>({ most: 3, onLate: late })
})

/** Work that ends when it is told to. */
const held = () => {
  let end: (result: string) => void = () => undefined
  const done = new Promise<string>((resolve) => {
    end = resolve
  })
  return { work: () => done, end }
}

it('gives what ended at once, and waits for nobody who hangs; that one is busy until its result was taken', async () => {
  const slow = held()
  await tasks.start('slow', slow.work)
  await tasks.start('quick', async () => 'quick')
  expect(await tasks.take()).toEqual(['quick'])
  expect(tasks.busy()).toEqual(['slow'])
  // It is not waited for a second time.
  const waits = new Promise((resolve) => setImmediate(() => resolve('waits')))
  expect(await Promise.race([tasks.take(), waits])).toEqual([])
  expect(await tasks.start('slow', async () => 'twice')).toBe(false)
  slow.end('slow')
  await expect.poll(() => late.mock.calls.length).toBe(1)
  expect(tasks.isBusy('slow')).toBe(true)
  expect(await tasks.take()).toEqual(['slow'])
  expect(tasks.busy()).toEqual([])
})

it('begins no more than so many at once, and the next where one ends', async () => {
  const all = [held(), held(), held()]
  for (const [index, { work }] of all.entries()) await tasks.start(String(index), work)
  expect(await tasks.start('fourth', async () => 'fourth')).toBe(false)
  const begun = tasks.start('fourth', async () => 'fourth')
  all[1]?.end('second')
  expect(await begun).toBe(true)
  expect([...(await tasks.take())].sort()).toEqual(['fourth', 'second'])
})

it('throws what a task could not deal with, so that the lane ends', async () => {
  await tasks.start('first', () => Promise.reject(new LeaseLostError('lane')))
  await expect(tasks.take()).rejects.toBeInstanceOf(LeaseLostError)
})
