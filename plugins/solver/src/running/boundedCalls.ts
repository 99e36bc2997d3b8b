import { ServiceError } from '@causeway/core'
import type { ChainAdapter } from '@causeway/core/chain'
import { withinTime } from '@causeway/core/money-path'
import type { ChainRegistry } from '@causeway/core/plugin'

type Method = (...input: unknown[]) => unknown

const isPending = (answer: unknown): answer is Promise<unknown> =>
  typeof answer === 'object' && answer !== null && typeof Reflect.get(answer, 'then') === 'function'

/**
 * The same object, whose every promised answer comes in time or fails with ServiceError REQUEST_TIMED_OUT: a call that never
 * returns costs the item it was made for some time, and the lane nothing (faults.md F126). `subject` is told with the failure.
 */
export const boundedCalls = <Target extends object>(target: Target, milliseconds: number, subject: string): Target => {
  const made = new Map<PropertyKey, Method>()
  const bound = (name: PropertyKey, method: Method): Method => {
    const late = () =>
      new ServiceError('REQUEST_TIMED_OUT', `${subject} did not answer "${String(name)}" within ${milliseconds} ms.`)
    return (...input) => {
      const answer = Reflect.apply(method, target, input)
      return isPending(answer) ? withinTime(milliseconds, answer, late) : answer
    }
  }
  return new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      // CAST: of a function nothing is assumed but that it can be called with what the caller gives.
      const method = made.get(name) ?? bound(name, member as Method)
      made.set(name, method)
      return method
    },
  })
}

/** The chains as the solver asks them: every answer of an adapter and of its lane is bounded. */
export const boundedChains = (chains: ChainRegistry, milliseconds: number): ChainRegistry =>
  chains.map(({ config, adapter }) => {
    const subject = `Chain ${config.slug}`
    const lane = boundedCalls(adapter.lane, milliseconds, subject)
    const calls = boundedCalls(adapter, milliseconds, subject)
    const get = (_: object, name: PropertyKey): unknown => (name === 'lane' ? lane : Reflect.get(calls, name))
    return { config, adapter: new Proxy<ChainAdapter>(adapter, { get }) }
  })
