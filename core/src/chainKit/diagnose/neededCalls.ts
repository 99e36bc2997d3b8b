import { ServiceError } from '../../errors/serviceError.js'
import type { JsonRpcEndpoint } from '../endpoints/clients/jsonRpcEndpoint.js'
import { isMissingMethod, type JsonRpcError, RefusedCalls } from '../endpoints/clients/jsonRpcErrors.js'
import type { NodeRestriction } from '../endpoints/clients/nodeRestrictions.js'
import type { RpcCall } from '../endpoints/clients/rpcCall.js'

/** A call that the service makes, and the cost for it where an endpoint does not serve the method. */
export interface NeededCall {
  readonly call: RpcCall
  readonly cost: string
}

/** Calls in the batch that shows how many calls of one request an endpoint answers. */
const BATCHED = 50

/**
 * Makes each call once and returns those whose method the endpoint does not serve.
 * @param lacks whether an error says so; default: by the codes and texts of JSON-RPC nodes
 */
export const unservedCalls = async (
  endpoint: Pick<JsonRpcEndpoint, 'batch'>,
  needed: readonly NeededCall[],
  lacks: (error: JsonRpcError) => boolean = isMissingMethod,
): Promise<readonly NodeRestriction[]> => {
  const errors = await Promise.all(needed.map(({ call }) => errorOf(endpoint, [call])))
  return needed.flatMap(({ call: { method }, cost }, at) => {
    const error = errors[at] ?? null
    return error !== null && lacks(error) ? [{ says: `does not serve ${method}`, cost }] : []
  })
}

/** Asks one call many times in one request, so that the endpoint's client learns how many it answers. */
export const tryBatch = async (endpoint: Pick<JsonRpcEndpoint, 'batch'>, call: RpcCall): Promise<void> => {
  await errorOf(
    endpoint,
    Array.from({ length: BATCHED }, () => call),
  )
}

const errorOf = async (
  endpoint: Pick<JsonRpcEndpoint, 'batch'>,
  calls: readonly RpcCall[],
): Promise<JsonRpcError | null> => {
  try {
    const [outcome] = await endpoint.batch(calls)
    return outcome?.ok === false ? outcome.error : null
  } catch (error) {
    if (!ServiceError.is(error)) throw error
    return error instanceof RefusedCalls ? error.error : null
  }
}
