import type { RpcEndpoint } from './rpcEndpoint.js'

/**
 * What an endpoint is worth now: `ok`; `lagging` behind the others; `distrusted`, because most others contradict it, and then
 * used for nothing; `down`, it does not answer.
 */
export type EndpointState = 'ok' | 'lagging' | 'distrusted' | 'down'

/** One endpoint as operators see it. Its URL may hold a key and is not here. */
export interface EndpointHealth {
  /** Unique within its chain: the configured provider, numbered when it runs several endpoints, else its place. */
  readonly name: string
  readonly provider: string
  readonly state: EndpointState
  /** Age of the newest block it showed, milliseconds; null when it never showed one. */
  readonly headAgeMs: number | null
  /** Height of the newest block it showed when endpoints were last compared, decimal text; absent where that is not known. */
  readonly head?: string
  /** Why it is not `ok`, in plain words. */
  readonly reason?: string
}

/** Providers that contradict each other, about something money depends on (faults.md F05, F107). */
export interface Disagreement {
  /** What it is about, for example `deposit 0xabc... 0`. */
  readonly subject: string
  /** Who says what, in plain words, with the names of endpoints. */
  readonly details: string
}

/** Who runs an endpoint: the configured name, else the host of its URL. Endpoints of one provider count once. */
export const providerOf = ({ provider, http }: RpcEndpoint): string =>
  provider ?? (URL.canParse(http) ? new URL(http).host : 'unknown')

/** How many providers stand behind endpoints. */
export const countProviders = (endpoints: readonly RpcEndpoint[]): number => new Set(endpoints.map(providerOf)).size
