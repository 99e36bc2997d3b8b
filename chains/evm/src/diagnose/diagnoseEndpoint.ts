import { type Diagnosis, type DiagnosisRequest, type JsonRpcEndpoint, resultOf, ServiceError } from '@causeway/core'
import { quantity, type RpcBlock } from '../rpc/wire.js'
import { depositFilters } from '../watch/logReader.js'
import type { DiagnoseDeps } from './diagnose.js'

export interface EndpointReport {
  readonly endpoint: JsonRpcEndpoint
  /** Null when it cannot be used. */
  readonly head: { readonly height: bigint; readonly time: number } | null
  readonly found: readonly Diagnosis[]
}

/** A head older than this is stale on any chain this service was made for, unless its configuration says otherwise. */
const STALE_SECONDS = 120
const SLOW_MS = 1_000
/** Ranges smaller than this make catching up slow. */
const FEW_BLOCKS = 100n

/** Reachable, the right chain, a fresh head, quick enough, and how many blocks of logs it gives at once. */
export const diagnoseEndpoint = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  deps: DiagnoseDeps,
  { timeoutMs }: DiagnosisRequest,
): Promise<EndpointReport> => {
  const askedAt = performance.now()
  try {
    const [outcome] = await within(
      endpoint.batch([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]),
      timeoutMs,
    )
    const block = resultOf<RpcBlock>(outcome, 'eth_getBlockByNumber')
    const tookMs = Math.round(performance.now() - askedAt)
    const head = { height: BigInt(block.number), time: Number(BigInt(block.timestamp)) }
    const found = [
      reachable(subject, tookMs),
      age(subject, head.time, deps),
      await logs(endpoint, subject, head.height, deps),
    ]
    return { endpoint, head, found }
  } catch (error) {
    return { endpoint, head: null, found: [unusable(subject, error)] }
  }
}

const unusable = (subject: string, error: unknown): Diagnosis => {
  const message = ServiceError.is(error) ? error.message : ''
  return /another chain/.test(message)
    ? {
        check: 'rpc chain id',
        subject,
        state: 'fault',
        message: 'serves another chain than the configured one',
        remedy: 'Correct the URL, or the "id" of the chain.',
      }
    : {
        check: 'rpc',
        subject,
        state: 'fault',
        message: 'does not answer',
        remedy: 'Check the URL, its key and quota, and that the node runs.',
      }
}

const reachable = (subject: string, tookMs: number): Diagnosis =>
  tookMs > SLOW_MS
    ? {
        check: 'rpc',
        subject,
        state: 'warning',
        message: `took ${tookMs} ms for one block`,
        remedy: 'Use a node that is nearer: every fill waits for it.',
      }
    : { check: 'rpc', subject, state: 'ok', message: `answers in ${tookMs} ms` }

const age = (subject: string, time: number, { settings }: DiagnoseDeps): Diagnosis => {
  const seconds = Math.round(Date.now() / 1000 - time)
  const limit = settings.maxHeadAgeSeconds > 0 ? settings.maxHeadAgeSeconds : STALE_SECONDS
  return seconds > limit
    ? {
        check: 'rpc head',
        subject,
        state: 'fault',
        message: `its newest block is ${seconds} s old`,
        remedy: 'Check that the node is in sync and the clock of this machine is right.',
      }
    : { check: 'rpc head', subject, state: 'ok', message: `newest block ${Math.max(0, seconds)} s old` }
}

const logs = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  height: bigint,
  { settings }: DiagnoseDeps,
): Promise<Diagnosis> => {
  const check = 'rpc log range'
  for (let range = settings.maxLogRange; range >= 1n; range /= 2n) {
    const from = height - range + 1n
    const call = { fromBlock: quantity(from < 0n ? 0n : from), toBlock: quantity(height) }
    const [filter] = depositFilters(settings.depository)
    const [outcome] = await endpoint.batch([{ method: 'eth_getLogs', params: [{ ...filter, ...call }] }])
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

const within = <T>(work: Promise<T>, milliseconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
