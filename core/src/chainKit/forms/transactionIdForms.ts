import type { TransactionIdCheck } from '../../chain/chainAdapter.js'

/** `ChainAdapter.checkTransactionId` of a chain. */
export type TransactionIdForm = (text: string) => TransactionIdCheck

/** Ids that match `pattern`; `form` says in words what that is. */
export const transactionIdForm =
  ({
    pattern,
    form,
    canonical = (text) => text,
  }: {
    readonly pattern: RegExp
    readonly form: string
    /** The one spelling that is stored and compared. */
    readonly canonical?: (text: string) => string
  }): TransactionIdForm =>
  (text) =>
    pattern.test(text) ? { ok: true, canonical: canonical(text) } : { ok: false, form }

const withoutPrefix = (text: string): string => text.replace(/^0x/i, '')

/** A hash of 32 bytes, spelled with its prefix (chains.md evm 1, hypevm 1). */
export const prefixedHexId = transactionIdForm({
  pattern: /^0x[0-9a-f]{64}$/i,
  form: '0x and 64 hex digits',
  canonical: (text) => text.toLowerCase(),
})

/** A hash of 32 bytes, spelled without prefix (chains.md bvm 1, tvm 1, tonvm 1). */
export const bareHexId = transactionIdForm({
  pattern: /^(?:0x)?[0-9a-f]{64}$/i,
  form: '64 hex digits',
  canonical: (text) => withoutPrefix(text).toLowerCase(),
})

/** The same in capitals (chains.md xrpvm 1). */
export const capitalHexId = transactionIdForm({
  pattern: /^(?:0x)?[0-9a-f]{64}$/i,
  form: '64 hex digits',
  canonical: (text) => withoutPrefix(text).toUpperCase(),
})

/** A hash whose length differs, 16 to 64 bytes without prefix (chains.md lvm 1). */
export const shortHexId = transactionIdForm({
  pattern: /^(?:0x)?(?:[0-9a-f]{2}){16,64}$/i,
  form: '32 to 128 hex digits',
  canonical: (text) => withoutPrefix(text).toLowerCase(),
})

/** A signature of 64 bytes (chains.md svm 1). */
export const base58SignatureId = transactionIdForm({
  pattern: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
  form: 'a base58 signature',
})

/** Who pays for it and from when it is valid (chains.md hederavm 1). */
export const payerTimeId = transactionIdForm({
  pattern: /^0\.0\.\d{1,19}[@-]\d{1,12}[.-]\d{1,9}(?:\?scheduled)?(?:\/\d{1,10})?$/,
  form: 'payer@seconds.nanos',
})
