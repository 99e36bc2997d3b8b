import { type Cell, loadOutList, type MessageRelaxed } from '@ton/core'

/** Operations of a signed request: in an external message, and in a message of any account, which pays for the request. */
const OPERATIONS = { external: 0x7369676e, internal: 0x73696e74 } as const
const SIGNATURE_BITS = 512

/** A signed request to a wallet v5r1. */
export interface WalletRequest {
  readonly seqno: bigint
  /** Unix seconds: the last at which the wallet takes the request. */
  readonly until: bigint
  /** Messages that the wallet is to send. */
  readonly messages: readonly MessageRelaxed[]
}

/** Reads a signed request; null for any other body. */
export const readRequest = (body: Cell, kind: keyof typeof OPERATIONS = 'external'): WalletRequest | null => {
  try {
    const slice = body.beginParse()
    if (slice.loadUint(32) !== OPERATIONS[kind]) return null
    const [, until, seqno] = [slice.loadUint(32), slice.loadUint(32), slice.loadUint(32)]
    const list = slice.loadMaybeRef()
    if (slice.remainingBits < SIGNATURE_BITS) return null
    const actions = list === null ? [] : loadOutList(list.beginParse())
    const messages = actions.flatMap((action) => (action.type === 'sendMsg' ? [action.outMsg] : []))
    return { seqno: BigInt(seqno), until: BigInt(until), messages }
  } catch {
    return null
  }
}
