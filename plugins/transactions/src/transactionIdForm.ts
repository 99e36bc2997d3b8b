import type { VmType } from '@causeway/core'

interface Form {
  readonly pattern: RegExp
  /** Said to the caller when it does not match. */
  readonly rule: string
  canonical(text: string): string
}

const lower = (text: string): string => text.toLowerCase()
const same = (text: string): string => text
const bare = (text: string): string => (/^0x/i.test(text) ? text.slice(2) : text)

const prefixedHex: Form = { pattern: /^0x[0-9a-f]{64}$/i, rule: '0x and 64 hex digits', canonical: lower }
const bareHex: Form = {
  pattern: /^(?:0x)?[0-9a-f]{64}$/i,
  rule: '64 hex digits',
  canonical: (text) => lower(bare(text)),
}

/** Text form of a transaction id on each known VM (chains.md, Identity of each). */
const FORMS: Readonly<Record<string, Form>> = {
  evm: prefixedHex,
  hypevm: prefixedHex,
  bvm: bareHex,
  tvm: bareHex,
  tonvm: bareHex,
  xrpvm: { ...bareHex, canonical: (text) => bare(text).toUpperCase() },
  lvm: {
    pattern: /^(?:0x)?(?:[0-9a-f]{2}){16,64}$/i,
    rule: '32 to 128 hex digits',
    canonical: (text) => lower(bare(text)),
  },
  svm: { pattern: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/, rule: 'a base58 signature', canonical: same },
  hederavm: {
    pattern: /^0\.0\.\d{1,19}[@-]\d{1,12}[.-]\d{1,9}(?:\?scheduled)?(?:\/\d{1,10})?$/,
    rule: 'payer@seconds.nanos',
    canonical: same,
  },
}

/** A VM this package has not heard of: anything printable; its adapter judges. */
const OTHER: Form = { pattern: /^[!-~]{1,256}$/, rule: 'a text of 1 to 256 visible characters', canonical: same }

export type TransactionIdCheck =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly rule: string }

/** Checks the form of a transaction id and gives its canonical text. Pure; says nothing of whether it exists. */
export const checkTransactionId = (vmType: VmType, text: string): TransactionIdCheck => {
  const form = FORMS[vmType] ?? OTHER
  return form.pattern.test(text) ? { ok: true, id: form.canonical(text) } : { ok: false, rule: form.rule }
}
