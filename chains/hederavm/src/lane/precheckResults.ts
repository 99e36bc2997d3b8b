import type { BroadcastResult } from '@causeway/core/chain'
import { type Rejection, rejectedAs } from '@causeway/core/chain-kit'

/** Reasons of a node that does not take a transaction, as lanes know them (chains.md hederavm 5). */
const REFUSALS: ReadonlyMap<string, Rejection> = new Map([
  ['INSUFFICIENT_TX_FEE', 'underpriced'],
  ['INSUFFICIENT_PAYER_BALANCE', 'insufficient-funds'],
  ['PAYER_ACCOUNT_NOT_FOUND', 'insufficient-funds'],
  ...[
    ...['PAYER_ACCOUNT_DELETED', 'INVALID_SIGNATURE', 'INVALID_TRANSACTION', 'INVALID_TRANSACTION_BODY'],
    ...['INVALID_TRANSACTION_ID', 'INVALID_TRANSACTION_DURATION', 'MEMO_TOO_LONG', 'INVALID_ZERO_BYTE_IN_STRING'],
    ...['INVALID_ACCOUNT_ID', 'INVALID_ACCOUNT_AMOUNTS', 'ACCOUNT_REPEATED_IN_ACCOUNT_AMOUNTS', 'TRANSACTION_OVERSIZE'],
    ...['TRANSFERS_NOT_ZERO_SUM_FOR_TOKEN', 'TRANSFER_LIST_SIZE_LIMIT_EXCEEDED', 'KEY_PREFIX_MISMATCH'],
  ].map((status) => [status, 'invalid'] as const),
])

/**
 * Meaning of the status that a consensus node answers before consensus (precheck). A duplicate id was taken before. After a status that
 * is not named here, such as `BUSY`, the transaction may still land: the same bytes are sent again.
 */
export const broadcastResultOf = (status: string): BroadcastResult => {
  if (status === 'OK' || status === 'DUPLICATE_TRANSACTION') return { outcome: 'known' }
  if (status === 'TRANSACTION_EXPIRED')
    return { outcome: 'expired', message: 'The time in which the payment may land is over.' }
  const reason = REFUSALS.get(status)
  if (reason === undefined)
    return { outcome: 'unknown', message: `A consensus node did not take the payment yet (${status}).` }
  return rejectedAs(reason, status)
}

const RESULTS: ReadonlyMap<string, string> = new Map([
  ['TOKEN_NOT_ASSOCIATED_TO_ACCOUNT', 'the recipient is not associated with the token'],
  ['NO_REMAINING_AUTOMATIC_ASSOCIATIONS', 'the recipient has no automatic association left'],
  ['ACCOUNT_FROZEN_FOR_TOKEN', 'an account is frozen for the token'],
  ['ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN', 'an account has no approval (KYC) for the token'],
  ['TOKEN_IS_PAUSED', 'the token is paused'],
  ['TOKEN_WAS_DELETED', 'the token was deleted'],
  ['ACCOUNT_DELETED', 'an account was deleted'],
  ['INVALID_ACCOUNT_ID', 'the recipient does not exist'],
  ['INSUFFICIENT_ACCOUNT_BALANCE', 'the payer does not hold enough'],
  ['INSUFFICIENT_TOKEN_BALANCE', 'the payer does not hold enough'],
  ['INSUFFICIENT_PAYER_BALANCE', 'the payer cannot pay the fee'],
  ['INSUFFICIENT_SENDER_ACCOUNT_BALANCE_FOR_CUSTOM_FEE', "the payer cannot pay the token's own fee"],
  ['INSUFFICIENT_TX_FEE', 'the fee was above the limit of the payment'],
  ['INVALID_SIGNATURE', 'a signature is missing'],
  ['TRANSACTION_EXPIRED', 'it reached consensus too late'],
])

/** Why a transaction failed at consensus, in plain words, with the network's own code. */
export const resultText = (result: string): string => {
  const words = RESULTS.get(result)
  return words === undefined ? `The network refused it (${result}).` : `The network refused it: ${words} (${result}).`
}
