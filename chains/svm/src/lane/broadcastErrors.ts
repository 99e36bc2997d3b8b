import type { BroadcastResult } from '@causeway/core/chain'
import type { JsonRpcError } from '@causeway/core/chain-kit'

type Rejection = Extract<BroadcastResult, { outcome: 'rejected' }>['reason']

/** Node, or chain, has these bytes already. */
const KNOWN = /AlreadyProcessed|already been processed|already processed/i

/**
 * First match decides; only what is wrong with the bytes themselves counts. An unknown blockhash is not among it: a node
 * that lags does not know the newest ones, and another one may have taken them.
 */
const REJECTED: readonly (readonly [RegExp, Rejection])[] = [
  [
    /InsufficientFundsForFee|InsufficientFundsForRent|insufficient (funds|lamports)|AccountNotFound|no record of a prior credit/i,
    'insufficient-funds',
  ],
  [
    /signature verification failure|SignatureFailure|failed to deserialize|failed to sanitize|too large|invalid (base64|base58|transaction)|unsupported transaction version|SanitizeFailure/i,
    'invalid',
  ],
]

/** What a broadcast error means; every text that is not known leaves open whether the transaction will land (F53, F54). */
export const classifyBroadcastError = (error: JsonRpcError): BroadcastResult => {
  const text = `${error.message} ${JSON.stringify(error.data ?? '').slice(0, 2000)}`
  const message = error.message.replace(/https?:\/\/\S+/g, '').slice(0, 200)
  if (KNOWN.test(text)) return { outcome: 'known' }
  const hit = REJECTED.find(([pattern]) => pattern.test(text))
  return hit === undefined ? { outcome: 'unknown', message } : { outcome: 'rejected', reason: hit[1], message }
}
