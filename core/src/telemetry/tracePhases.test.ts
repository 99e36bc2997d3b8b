import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type ContextManager, context, ROOT_CONTEXT } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { collectPhases, type TracePhase, tracePhase } from './tracePhases.js'

/** What tracing brings with it when it is on. */
class Contexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>()
  active = (): Context => this.#storage.getStore() ?? ROOT_CONTEXT
  with: ContextManager['with'] = (given, work, self, ...rest) =>
    this.#storage.run(given, () => work.call(self as ThisParameterType<typeof work>, ...rest))
  bind: ContextManager['bind'] = (_given, target) => target
  enable = (): this => this
  disable = (): this => this
}

afterEach(() => context.disable())

const later = (word: string) => new Promise<string>((resolve) => setImmediate(() => resolve(word)))

describe('phases of a quote', () => {
  it('are kept apart for works at the same time, failures marked', async () => {
    context.setGlobalContextManager(new Contexts())
    const lists: TracePhase[][] = [[], []]
    const work = (name: string) => async () => {
      await Promise.all([tracePhase(`${name} a`, () => later('')), tracePhase(`${name} b`, () => later(''))])
      await tracePhase(`${name} c`, () => Promise.reject(new Error('no')))
    }
    const done = lists.map((list, at) => collectPhases(list, work(String(at))))
    expect((await Promise.allSettled(done)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    for (const [at, list] of lists.entries()) {
      expect(list.map(({ name, failed }) => [name, failed])).toEqual([
        [`${at} a`, false],
        [`${at} b`, false],
        [`${at} c`, true],
      ])
      for (const { startedAt, endedAt } of list) expect(endedAt).toBeGreaterThanOrEqual(startedAt)
    }
  })

  it('cost nothing worth naming while tracing is off: the work itself is returned', async () => {
    const work = later('x')
    expect(tracePhase('a', () => work)).toBe(work)
    const times = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage()
      for (let at = 0; at < 100_000; at += 1) void tracePhase('a', () => work)
      return process.cpuUsage(before).user
    })
    // Less than five microseconds of a processor each, in the best of five rounds.
    expect(Math.min(...times)).toBeLessThan(500_000)
  })
})
