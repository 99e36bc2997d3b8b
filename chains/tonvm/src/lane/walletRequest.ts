import { beginCell, type Cell, loadOutList, type Message, type MessageRelaxed, storeMessage } from '@ton/core'

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

/**
 * Hash of an external message that does not depend on how it was serialised: without source, import fee and initial state, with the body
 * in a reference (TEP-467). It is the id of a payment, since the hash of its transaction is known only later.
 */
export const externalHash = ({ info, body }: Pick<Message, 'info' | 'body'>): string => {
  if (info.type !== 'external-in') throw new Error('The message is not external')
  const message: Message = { info: { type: 'external-in', dest: info.dest, importFee: 0n }, body }
  return beginCell()
    .store(storeMessage(message, { forceRef: true }))
    .endCell()
    .hash()
    .toString('hex')
}
