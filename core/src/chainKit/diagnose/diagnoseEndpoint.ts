import type { Diagnosis, DiagnosisRequest } from '../../chain/endpoint/diagnosis.js'
import { JsonRpcNode } from '../endpoints/clients/jsonRpcNode.js'
import type { NodeRestriction } from '../endpoints/clients/nodeRestrictions.js'
import { isOtherChain, servedChain } from '../endpoints/endpoint.js'
import type { NamedEndpoint } from '../quorum/depositVote.js'
import type { ChainDiagnosis } from './chainDiagnosis.js'

export interface EndpointReport<Endpoint> {
  readonly endpoint: Endpoint
  /** Of its newest block; null when it cannot be used. */
  readonly height: bigint | null
  readonly found: readonly Diagnosis[]
}

const SLOW_MS = 1_000

/** Reachable, the right chain, a fresh head, quick enough, and of use to find deposits by. */
export const diagnoseEndpoint = async <Endpoint extends NamedEndpoint>(
  endpoint: Endpoint,
  subject: string,
  chain: ChainDiagnosis<Endpoint>,
  { timeoutMs }: DiagnosisRequest,
): Promise<EndpointReport<Endpoint>> => {
  const askedAt = performance.now()
  try {
    const reading = await within(chain.read(endpoint, subject), timeoutMs)
    const tookMs = Math.round(performance.now() - askedAt)
    const { height, time } = reading
    const found = [
      reachable(subject, tookMs),
      ...(time === null ? [] : [age(subject, time, chain)]),
      await reading.history(),
      ...limits(subject, (await reading.limits?.()) ?? [], endpoint),
    ]
    return { endpoint, height, found }
  } catch (error) {
    return { endpoint, height: null, found: [unusable(subject, error, chain)] }
  }
}

/** Restrictions of the node that were found by asking it, and their cost; `own` are those that the chain names itself. */
const limits = (
  subject: string,
  own: readonly NodeRestriction[],
  { client }: NamedEndpoint & { readonly client?: unknown },
): readonly Diagnosis[] => {
  const met = client instanceof JsonRpcNode ? client.restrictions.list() : []
  const others = met.filter(({ says }) => !own.some((one) => one.says === says))
  return [...own, ...others].map(({ says, cost }) => ({
    check: 'rpc limits',
    subject,
    state: 'warning',
    message: says,
    remedy: cost,
  }))
}

const unusable = (subject: string, error: unknown, { otherChain }: Pick<ChainDiagnosis, 'otherChain'>): Diagnosis => {
  return isOtherChain(error)
    ? { check: 'rpc chain id', subject, state: 'fault', ...wrongChain(error, otherChain) }
    : {
        check: 'rpc',
        subject,
        state: 'fault',
        message: 'does not answer',
        remedy: 'Check the URL, its key and quota, and that the node runs.',
      }
}

/** Both ids, where they are known. */
const wrongChain = (error: unknown, { message, remedy, expected }: ChainDiagnosis['otherChain']) => {
  const serves = servedChain(error)
  const both = serves === null || expected === undefined ? '' : `: it serves ${serves}, configured is ${expected}`
  return { message: message + both, remedy }
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

const age = (subject: string, time: number, { staleSeconds }: Pick<ChainDiagnosis, 'staleSeconds'>): Diagnosis => {
  const seconds = Math.round(Date.now() / 1000 - time)
  return seconds > staleSeconds
    ? {
        check: 'rpc head',
        subject,
        state: 'fault',
        message: `its newest block is ${seconds} s old`,
        remedy: 'Check that the node is in sync and the clock of this machine is right.',
      }
    : { check: 'rpc head', subject, state: 'ok', message: `newest block ${Math.max(0, seconds)} s old` }
}

const within = <T>(work: Promise<T>, milliseconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
