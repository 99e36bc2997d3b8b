import { isEndpointTrouble, RefusedCalls } from '../jsonRpcErrors.js'
import type { RpcCall, RpcOutcome } from '../rpcCall.js'
import { askSideBySide } from './sideBySide.js'

/** Calls in parts of a size, in their order; no part for no call. */
export const partsOf = (calls: readonly RpcCall[], size: number): readonly (readonly RpcCall[])[] => {
  if (calls.length <= size) return calls.length === 0 ? [] : [calls]
  return Array.from({ length: Math.ceil(calls.length / size) }, (_, at) => calls.slice(at * size, (at + 1) * size))
}

/** Most calls of a part, and a budget that the sizes of its calls must fit into. */
export interface PartBounds {
  readonly calls: number
  readonly sizes: readonly { readonly most: number; of(call: RpcCall): number }[]
}

/** Calls in parts within bounds, in their order; a call that is larger than a budget is a part of its own. */
export const partsWithin = (
  calls: readonly RpcCall[],
  { calls: mostCalls, sizes }: PartBounds,
): readonly (readonly RpcCall[])[] => {
  const limited = sizes.filter(({ most }) => Number.isFinite(most))
  if (limited.length === 0) return partsOf(calls, mostCalls)
  const parts: RpcCall[][] = []
  let used: number[] = []
  for (const call of calls) {
    const part = parts.at(-1)
    const needed = limited.map(({ of }, at) => (used[at] ?? 0) + of(call))
    const fits = needed.every((size, at) => size <= (limited[at]?.most ?? 0))
    if (part !== undefined && part.length < mostCalls && fits) {
      part.push(call)
      used = needed
      continue
    }
    parts.push([call])
    used = limited.map(({ of }) => of(call))
  }
  return parts
}

/**
 * The outcomes of parts that are asked for apart. A refusal of single calls does not end the others: it is thrown with all outcomes.
 * Other failures, rates and quotas among them, end those under way.
 */
export const inParts = async (
  parts: readonly (readonly RpcCall[])[],
  ask: (part: readonly RpcCall[], signal: AbortSignal) => Promise<readonly RpcOutcome[]>,
  options: Parameters<typeof askSideBySide>[2],
): Promise<readonly RpcOutcome[]> => {
  const refusals: RefusedCalls[] = []
  const askOne = (part: readonly RpcCall[], ended: AbortSignal) =>
    ask(part, ended).catch((error: unknown) => {
      const isWhole = error instanceof RefusedCalls && error.outcomes.length === part.length
      if (!isWhole || isEndpointTrouble(error.error)) throw error
      refusals.push(error)
      return error.outcomes
    })
  const outcomes = (await askSideBySide(parts, askOne, options)).flat()
  const [refusal] = refusals
  if (refusal !== undefined) throw refusal.among(outcomes)
  return outcomes
}
