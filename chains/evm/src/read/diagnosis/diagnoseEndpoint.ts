import { ServiceError } from '@causeway/core'
import type { Diagnosis } from '@causeway/core/chain'
import { type EndpointReading, type JsonRpcEndpoint, resultOf } from '@causeway/core/chain-kit'
import { blockCall } from '../../deposit/readDeposits.js'
import { quantity, type RpcBlock } from '../../rpc/wire.js'
import { logCalls, logFilters } from '../watch/logReader.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'

/** Ranges smaller than this make catching up slow. */
const FEW_BLOCKS = 100n

/** Calls of a batch as the service sends them while it catches up. */
const BATCHED = 50

/** The newest block, and how many blocks of logs the endpoint gives at once. */
export const readEndpoint = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  deps: DiagnoseDeps,
): Promise<EndpointReading> => {
  const [outcome] = await endpoint.batch([{ method: 'eth_getBlockByNumber', params: ['latest', false] }])
  const block = resultOf<RpcBlock>(outcome, 'eth_getBlockByNumber')
  const height = BigInt(block.number)
  return {
    height,
    time: Number(BigInt(block.timestamp)),
    history: () => logs(endpoint, subject, height, deps),
  }
}

/** Asks once for what reading deposits asks for, so that the limits which the endpoint sets to it are known. */
const askAsWatched = async (
  endpoint: JsonRpcEndpoint,
  height: bigint,
  settings: DiagnoseDeps['settings'],
): Promise<void> => {
  const calls = logCalls(logFilters({ ...settings, tokens: [] }), height, height)
  const blocks = Array.from({ length: BATCHED }, () => blockCall(height))
  for (const asked of [calls, blocks]) {
    await endpoint.batch(asked).catch((error: unknown) => {
      if (!ServiceError.is(error)) throw error
    })
  }
}

const logs = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  height: bigint,
  { settings }: DiagnoseDeps,
): Promise<Diagnosis> => {
  const check = 'rpc log range'
  await askAsWatched(endpoint, height, settings)
  for (let range = settings.maxLogRange; range >= 1n; range /= 2n) {
    const from = height - range + 1n
    const call = { fromBlock: quantity(from < 0n ? 0n : from), toBlock: quantity(height) }
    const [filter] = logFilters({ ...settings, tokens: [] })
    const [outcome] = await endpoint
      .batch([{ method: 'eth_getLogs', params: [{ ...filter, ...call }] }])
      .catch(() => [])
    if (outcome?.ok !== true) continue
    if (range === settings.maxLogRange) return { check, subject, state: 'ok', message: `gives ${range} blocks at once` }
    const state = range < FEW_BLOCKS ? 'fault' : 'warning'
    const message = `gives ${range} blocks at once, not the configured ${settings.maxLogRange}`
    return { check, subject, state, message, remedy: `Set "maxLogRange" to ${range}, or use a node with fewer limits.` }
  }
  return {
    check,
    subject,
    state: 'fault',
    message: 'gives no logs at all',
    remedy: 'Deposits are found by logs: use a node that serves eth_getLogs.',
  }
}
