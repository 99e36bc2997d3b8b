import type { ChainAdapter, WatchPage } from '../../chain/chainAdapter.js'
import type { LaneAdapter } from '../../chain/laneAdapter.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { there } from './rule.js'

/** Makes another adapter of one: the same but for what it changes. */
export type Alteration = (real: ChainAdapter) => ChainAdapter

const altered = <Subject extends object>(subject: Subject, changes: (real: Subject) => Partial<Subject>): Subject => {
  const other = changes(subject)
  return new Proxy(subject, {
    get(target, key) {
      if (key in other) return Reflect.get(other, key)
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
    has: (target, key) => key in other || key in target,
  })
}

/** A real adapter with something wrong, to show that a rule, or a host, notices. */
export const adapterWith =
  (changes: (real: ChainAdapter) => Partial<ChainAdapter>): Alteration =>
  (real) =>
    altered(real, changes)

/** As `adapterWith`, of the paying side. */
export const laneWith = (changes: (real: LaneAdapter) => Partial<LaneAdapter>): Alteration =>
  adapterWith(({ lane }) => ({ lane: altered(lane, changes) }))

/** As `adapterWith`, of the pages that the watcher gives. */
export const pagesWith = (change: (page: WatchPage, at: number) => WatchPage): Alteration =>
  adapterWith((real) => ({
    async *watch(cursor, live, signal) {
      let at = 0
      for await (const page of real.watch(cursor, live, signal)) {
        yield change(page, at)
        at += 1
      }
    },
  }))

/** The same harness, every adapter of it altered. */
export const harnessWith = (harness: ConformanceHarness, alter: Alteration): ConformanceHarness => ({
  ...harness,
  adapter: alter(harness.adapter),
  createAdapter: async (rpc) => alter(await harness.createAdapter(rpc)),
  ...(harness.smallPages === undefined
    ? {}
    : { smallPages: async (rpc) => alter(await there(harness.smallPages?.(rpc), 'no small pages')) }),
})
