import { transactionIdForm } from '@causeway/core/chain-kit'
import { nanosOf, timeText } from './times.js'

const ID = /^(0\.0\.(?:0|[1-9]\d{0,18}))[@-](\d{1,19})[.-](\d{1,9})(\?scheduled)?(?:\/(\d{1,10}))?$/

/** A transaction id taken apart (chains.md hederavm 1). */
export interface TransactionId {
  readonly payer: string
  /** Valid start in nanoseconds. */
  readonly start: bigint
  readonly scheduled: boolean
  /** Above 0 of the children of a transaction. */
  readonly nonce: number
}

/** `payer@seconds.nanos` with nine digits of nanoseconds, `?scheduled` and `/nonce` where the transaction has them. */
export const transactionIdText = ({ payer, start, scheduled, nonce }: TransactionId): string => {
  return `${payer}@${timeText(start)}${scheduled ? '?scheduled' : ''}${nonce === 0 ? '' : `/${nonce}`}`
}

/** Reads an id in the form of the SDK or of mirror nodes; null for other text. */
export const readTransactionId = (text: string): TransactionId | null => {
  const [, payer, seconds, nanos, scheduled, nonce = '0'] = ID.exec(text) ?? []
  if (payer === undefined) return null
  return { payer, start: nanosOf(`${seconds}.${nanos}`), scheduled: scheduled !== undefined, nonce: Number(nonce) }
}

export const checkTransactionId = transactionIdForm({
  pattern: ID,
  form: 'payer@seconds.nanos, for example 0.0.1234@1700000000.123456789',
  canonical: (text) => {
    const read = readTransactionId(text)
    return read === null ? text : transactionIdText(read)
  },
})

/** The id as paths of mirror nodes name it, without `?scheduled` and nonce. */
export const mirrorId = ({ payer, start }: TransactionId): string => `${payer}-${timeText(start).replace('.', '-')}`
