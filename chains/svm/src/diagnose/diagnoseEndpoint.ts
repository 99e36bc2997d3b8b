import {
  type Diagnosis,
  type DiagnosisRequest,
  type JsonRpcEndpoint,
  type RpcOutcome,
  resultOf,
  ServiceError,
} from '@causeway/core'
import { clockCall, readClock } from '../rpc/clock.js'
import { latestBlockhashCall, type RpcAccount, type RpcContext, type RpcLatestBlockhash } from '../rpc/wire.js'
import { signaturesCall } from '../watch/signatureReader.js'
import type { DiagnoseDeps } from './diagnose.js'

export interface EndpointReport {
  readonly endpoint: JsonRpcEndpoint
  /** Newest confirmed slot; null when it cannot be used. */
  readonly slot: bigint | null
  readonly found: readonly Diagnosis[]
}

/** A head older than this is stale, unless the configuration says otherwise. */
const STALE_SECONDS = 60
const SLOW_MS = 1_000

/** Reachable, the right chain, a fresh head, quick enough, and a history of the depository's transactions. */
export const diagnoseEndpoint = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  { settings }: DiagnoseDeps,
  { timeoutMs }: DiagnosisRequest,
): Promise<EndpointReport> => {
  const askedAt = performance.now()
  try {
    const [latest, clock, signatures] = await within(
      endpoint.batch([
        latestBlockhashCall('confirmed'),
        clockCall('confirmed'),
        signaturesCall(settings.depository, { limit: 1 }),
      ]),
      timeoutMs,
    )
    const head = resultOf<RpcContext<RpcLatestBlockhash>>(latest, 'getLatestBlockhash')
    const tookMs = Math.round(performance.now() - askedAt)
    const time = clock?.ok ? readClock(clock.result as RpcContext<RpcAccount | null>) : null
    const found = [
      reachable(subject, tookMs),
      ...(time === null ? [] : [age(subject, time, settings.maxHeadAgeSeconds)]),
      history(subject, signatures),
    ]
    return { endpoint, slot: BigInt(head.context.slot), found }
  } catch (error) {
    return { endpoint, slot: null, found: [unusable(subject, error)] }
  }
}

const unusable = (subject: string, error: unknown): Diagnosis => {
  const message = ServiceError.is(error) ? error.message : ''
  return /another chain/.test(message)
    ? {
        check: 'rpc chain id',
        subject,
        state: 'fault',
        message: 'serves another chain: its genesis hash is not the configured one',
        remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
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

const age = (subject: string, time: number, configured: number): Diagnosis => {
  const seconds = Math.round(Date.now() / 1000 - time)
  return seconds > (configured > 0 ? configured : STALE_SECONDS)
    ? {
        check: 'rpc head',
        subject,
        state: 'fault',
        message: `its newest block is ${seconds} s old`,
        remedy: 'Check that the node is in sync and the clock of this machine is right.',
      }
    : { check: 'rpc head', subject, state: 'ok', message: `newest block ${Math.max(0, seconds)} s old` }
}

const history = (subject: string, outcome: RpcOutcome | undefined): Diagnosis =>
  outcome?.ok
    ? { check: 'rpc history', subject, state: 'ok', message: 'lists the transactions of an address' }
    : {
        check: 'rpc history',
        subject,
        state: 'fault',
        message: 'does not list the transactions of an address',
        remedy: 'Deposits are found by getSignaturesForAddress: use a node that keeps the history of transactions.',
      }

const within = <T>(work: Promise<T>, milliseconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
