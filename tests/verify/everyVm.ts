import { bvm } from '@causeway/chain-bvm/verify'
import { evm } from '@causeway/chain-evm/verify'
import { hederavm } from '@causeway/chain-hederavm/verify'
import { hypevm } from '@causeway/chain-hypevm/verify'
import { lvm } from '@causeway/chain-lvm/verify'
import { svm } from '@causeway/chain-svm/verify'
import { tonvm } from '@causeway/chain-tonvm/verify'
import { tvm } from '@causeway/chain-tvm/verify'
import { xrpvm } from '@causeway/chain-xrpvm/verify'
import { type QuoteVerdict, type VerifyOptions, verifyQuote } from '@causeway/core/verify'

export const VMS = [evm, svm, bvm, xrpvm, hederavm, tonvm, tvm, hypevm, lvm] as const

/** As a page would call it that takes deposits on all of them; what it is given is JSON. */
export const verifyInPage = (quote: unknown, options: Omit<VerifyOptions, 'vms'>): QuoteVerdict =>
  verifyQuote(quote, { ...options, vms: VMS })
