import type { Hex } from '@causeway/core'
import { type Caller, HttpError, holderKey, holderOf, parseUsd, type Usd } from '@causeway/core/plugin'
import type { ExecuteOptions } from '../execute/executeOptions.js'

/** Caps on what relayed transactions cost the operator, US dollars. */
export interface LossCaps {
  /** Loss of one caller, and of one owner, in a day. */
  readonly caller: Usd
  /** Loss in a day of all callers together for whom no operator vouches. */
  readonly total: Usd
  /** Cost of the transactions of one caller, or owner, whose route was charged and whose deposit is missing. */
  readonly unpaid: Usd
  /** The same of all callers together. */
  readonly totalUnpaid: Usd
}

/** A transaction that is to be sent for a user, and whom its cost is counted for. */
export interface Relayed {
  readonly requestId: Hex
  /** An API key, or the network of a caller without one. */
  readonly caller: string
  /** An operator vouches for the caller: only its own caps hold, so that no other key's calls use up its room (faults.md F147). */
  readonly isTrusted: boolean
  /** Address that signed a permit; null for a call, which its API key stands for. */
  readonly owner: string | null
  /** Expected cost, native smallest unit. */
  readonly fee: bigint
  /** The same in US dollars. */
  readonly usd: Usd
  /** Part of `usd` that a route or a sponsor bears; the rest is the operator's loss. */
  readonly borne: { readonly byRoute: Usd } | { readonly bySponsor: Usd } | null
}

/** The caller whom a transaction is counted for. A key that a browser's `Origin` added counts as its caller's network. */
export const relayCaller = (caller: Caller, ip: string): Pick<Relayed, 'caller' | 'isTrusted'> => {
  const holder = holderOf(caller, ip)
  const isKey = caller.kind === 'integrator' && caller.proxied !== true
  return { caller: isKey ? caller.apiKeyId : `network ${holderKey(holder ?? '')}`, isTrusted: holder === null }
}

export const ownerOf = ({ owner }: Pick<Relayed, 'owner'>): string | null =>
  owner === null ? null : `owner ${owner.toLowerCase()}`

/** @throws Error for an option that is no amount of dollars */
export const lossCapsOf = (options: ExecuteOptions): LossCaps => ({
  caller: usdOf(options.lossCapUsd),
  total: usdOf(options.totalLossCapUsd),
  unpaid: usdOf(options.unpaidCapUsd),
  totalUnpaid: usdOf(options.totalUnpaidCapUsd),
})

export const usdOf = (text: string): Usd => {
  const usd = parseUsd(text)
  if (usd === null) throw new Error(`${text} is no amount of dollars.`)
  return usd
}

/** The refusal of a transaction at a cap. */
export const capReached = (message: string): HttpError => new HttpError(400, message)
