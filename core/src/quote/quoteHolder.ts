import { createHash } from 'node:crypto'
import type { Caller } from '../http/access/integratorAuth.js'
import { clientNetwork } from '../http/request/clientNetwork.js'

/**
 * Whom a quote's hold is counted for (architecture.md 3, step 1): null for a caller that an operator vouches for, else the
 * integrator, or the address (of IPv6 its /64) of one without a key. An `Origin` can be forged, so the key that it adds vouches for
 * nobody.
 */
export const holderOf = (caller: Caller, ip: string): string | null => {
  if (caller.kind === 'anonymous' || caller.proxied === true) return `address ${clientNetwork(ip)}`
  return caller.trusted === true ? null : `integrator ${caller.integratorId}`
}

/** The holder as the tables name it: no address stands in them. */
export const holderKey = (holder: string): bigint => createHash('sha256').update(holder).digest().readBigInt64BE(0)
