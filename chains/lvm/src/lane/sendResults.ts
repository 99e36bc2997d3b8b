import type { BroadcastResult } from '@causeway/core/chain'
import { type Rejection, rejectedAs } from '@causeway/core/chain-kit'
import type { Refusal } from '../rpc/lighterNode.js'

/** Meanings of refusals of `sendTx`, by the words of the exchange: its codes differ by version. */
const REFUSALS: readonly (readonly [RegExp, Rejection])[] = [
  [/fee/i, 'underpriced'],
  [/not enough|insufficient/i, 'insufficient-funds'],
  [/signature|api key|invalid (?:tx|asset|memo|route|param)|account not found|unsupported tx/i, 'invalid'],
]

export const isNonceRefusal = ({ message }: Refusal): boolean => /nonce/i.test(message)
export const isFeeRefusal = ({ message }: Refusal): boolean => /fee/i.test(message)

/**
 * Meaning of a refusal of `sendTx` that is not about the number. After a refusal that is not named here the payment may still be executed:
 * the same bytes are sent again.
 */
export const broadcastResultOf = (refusal: Refusal): BroadcastResult => {
  const { code, message } = refusal
  if (/expired/i.test(message))
    return { outcome: 'expired', message: 'The time in which the payment may be executed is over.' }
  const [, reason] = REFUSALS.find(([words]) => words.test(message)) ?? []
  if (reason !== undefined) return rejectedAs(reason, `${code} ${message}`.slice(0, 100))
  return { outcome: 'unknown', message: `The exchange did not take the payment yet (${code}).` }
}

const FAILURES: ReadonlyMap<string, string> = new Map([
  ['4', 'it failed when it was executed'],
  ['5', 'it was rejected'],
])

/** Why a transaction failed, in plain words. @param status - code of its status (chains.md lvm 4) */
export const failureText = (status: string): string =>
  `The exchange did not execute it: ${FAILURES.get(status) ?? `its status is ${status}`}.`
