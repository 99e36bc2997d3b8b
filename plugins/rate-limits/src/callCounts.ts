import { createHash } from 'node:crypto'
import type { Clock } from '@causeway/core'
import { type Caller, clientNetwork, type RateLimitedCall } from '@causeway/core/plugin'
import { monthsCut } from './monthsCut.js'
import type { RateLimitOptions } from './options.js'
import type { Rule } from './sharedCounter.js'

export const TIERS = ['anonymous', 'key', 'elevated', 'proxied'] as const
export type Tier = (typeof TIERS)[number]

/** One of the counts a call adds to. */
export interface CallCount {
  /** Bounded in length: it is a key of the store. */
  readonly key: string
  readonly rule: Rule
}

/** Route whose answers say nothing of limits and whose own limit is cut monthly (wire.md 3.3, H.1). */
export const CUT_ROUTE = '/requests/v2'
const AUTHORIZE = 'authorize'
const OTHER = 'other'

/** Values of the label `bucket`. */
export const BUCKETS = ['quote', 'status', 'requests', 'requests/v3', 'transactions/status', AUTHORIZE, OTHER] as const

export const tierOf = (caller: Caller): Tier => {
  if (caller.kind === 'anonymous') return 'anonymous'
  if (caller.proxied === true) return 'proxied'
  return caller.elevated ? 'elevated' : 'key'
}

interface Rules {
  readonly anonymous: Rule
  readonly key: Rule
  readonly elevated: Rule
}

const times = ({ points, seconds }: Rule, factor: number): Rule => ({
  points: Math.max(1, Math.floor(points * factor)),
  seconds,
})

/** An elevated key never has less than another: of two rules the one that admits more in the same time. */
const elevatedRule = ({ key, elevated }: Rules): Rule =>
  elevated.points * key.seconds >= key.points * elevated.seconds ? elevated : key

const ruleOf = (rules: Rules, caller: Caller): Rule => {
  if (caller.kind === 'anonymous') return rules.anonymous
  return caller.elevated ? elevatedRule(rules) : rules.key
}

/** Who is counted, and how often the rule they have. */
const subjectsOf = (caller: Caller, ip: string, proxiedMultiple: number): readonly (readonly [string, number])[] => {
  if (caller.kind === 'anonymous') return [[`a:${clientNetwork(ip)}`, 1]]
  const key = `${caller.elevated ? 'e' : 'k'}:${caller.apiKeyId}`
  if (caller.proxied !== true) return [[key, 1]]
  return [
    [`p${key}:${clientNetwork(ip)}`, 1],
    [`p${key}`, proxiedMultiple],
  ]
}

/** Any text as a short part of a key; EVM addresses in any case are one (wire.md 0.1). */
const digest = (subject: string): string => {
  const same = /^0x[0-9a-f]{40}$/i.test(subject) ? subject.toLowerCase() : subject
  return createHash('sha256').update(same).digest('base64url').slice(0, 32)
}

/**
 * Tells which counts a call adds to, in the order they are asked: what is narrow goes first, so that calls it refuses use up
 * nothing of what is shared (wire.md 0.6, 2.8, H.1).
 */
export class CallCounts {
  readonly #options: RateLimitOptions
  readonly #clock: Clock
  readonly #cutFrom: Date

  constructor(deps: { readonly options: RateLimitOptions; readonly clock: Clock }) {
    this.#options = deps.options
    this.#clock = deps.clock
    this.#cutFrom = new Date(`${deps.options.requestsV2Cut.from}T00:00:00Z`)
  }

  /** The bucket a call counts in: its own, or `other` where that is not known. */
  bucketOf({ bucket, further }: RateLimitedCall): string {
    if (further !== undefined) return bucket
    return Object.hasOwn(this.#options.buckets, bucket) ? bucket : OTHER
  }

  of(call: RateLimitedCall, caller: Caller): readonly CallCount[] {
    const counts =
      call.further === undefined ? this.#ofRoute(call, caller) : this.#ofSubject(call, caller, call.further.subject)
    return counts.map(({ key, rule }) => ({ key, rule: times(rule, this.#options.scale) }))
  }

  #ofRoute(call: RateLimitedCall, caller: Caller): readonly CallCount[] {
    const bucket = this.bucketOf(call)
    // CAST: the record has exactly the names of the schema, and `bucketOf` gives one of them.
    const rule = ruleOf(this.#options.buckets[bucket as keyof RateLimitOptions['buckets']], caller)
    const shared = this.#each(bucket, rule, caller, call.ip)
    if (call.route !== CUT_ROUTE) return shared
    const months = monthsCut(this.#cutFrom, this.#clock.now())
    if (months === 0) return shared
    const cut = times(rule, this.#options.requestsV2Cut.factor ** months)
    return [...this.#each(`${bucket}/cut${months}`, cut, caller, call.ip), ...shared]
  }

  /** Only `/authorize` has such limits: of the caller, and of a wallet once it has signed. */
  #ofSubject(call: RateLimitedCall, caller: Caller, subject: string | undefined): readonly CallCount[] {
    const { wallet, total } = this.#options.authorize
    if (subject === undefined) return this.#each(`${call.bucket}/all`, ruleOf(total, caller), caller, call.ip)
    const elevated = caller.kind === 'integrator' && caller.elevated
    const owner = elevated ? `e:${caller.apiKeyId}` : 's'
    return [
      {
        key: `${call.bucket}:${owner}:${digest(subject)}`,
        rule: elevated ? wallet.elevated : wallet.selfServe,
      },
    ]
  }

  #each(name: string, rule: Rule, caller: Caller, ip: string): readonly CallCount[] {
    return subjectsOf(caller, ip, this.#options.proxiedMultiple).map(([subject, factor]) => ({
      key: `${name}:${subject}`,
      rule: times(rule, factor),
    }))
  }
}
