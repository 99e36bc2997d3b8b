import { type Address, type Cell, type ExternalAddress, fromNano, type Message } from '@ton/core'
import type { TonTx } from '../../engine/tonTx.js'
import { hashBytes } from './accountAnswers.js'

const friendly = (address: Address): string => address.toString()

const base64 = (cell: Cell): string => cell.toBoc().toString('base64')

const externalJson = (address: ExternalAddress | null | undefined) =>
  address ? { bits: address.bits, data: address.value.toString(16) } : null

const infoJson = ({ info }: Message) => {
  if (info.type === 'external-in') {
    const { dest, src, importFee } = info
    return { type: info.type, dest: friendly(dest), src: externalJson(src), importFee: String(importFee) }
  }
  if (info.type === 'external-out') return { type: info.type, dest: externalJson(info.dest) }
  const { value, dest, src, bounced, bounce, ihrDisabled, createdAt, createdLt, forwardFee, ihrFee } = info
  return {
    ...{ type: info.type, value: String(value.coins), dest: friendly(dest), src: friendly(src) },
    ...{ bounced, bounce, ihrDisabled, createdAt, createdLt: String(createdLt) },
    ...{ fwdFee: String(forwardFee), ihrFee: String(ihrFee) },
  }
}

const messageJson = (message: Message) => {
  const { body, init } = message
  return {
    body: base64(body),
    info: infoJson(message),
    init: init
      ? {
          splitDepth: init.splitDepth ?? null,
          code: init.code ? base64(init.code) : null,
          data: init.data ? base64(init.data) : null,
          special: init.special ?? null,
        }
      : null,
  }
}

/** The text of a comment, or the whole body; null for an empty body. */
const bodyJson = ({ body }: Message) => {
  if (body.bits.length === 0 && body.refs.length === 0) return null
  const slice = body.beginParse()
  const isText = slice.remainingBits >= 32 && slice.preloadUint(32) === 0
  if (!isText || slice.remainingBits % 8 !== 0) return { type: 'payload', cell: base64(body) }
  return { type: 'comment', comment: slice.skip(32).loadStringTail() }
}

const succeeded = ({ parsed: { description } }: TonTx): boolean =>
  description.type === 'generic' && (!description.aborted || description.computePhase.type === 'skipped')

/** A reading of the transaction from its first payment, as wallets list it. */
const readingOf = (tx: TonTx) => {
  const { inMessage, outMessages } = tx.parsed
  const isOut = inMessage?.info.type === 'external-in'
  const message = isOut ? outMessages.values()[0] : inMessage
  const info = message?.info.type === 'internal' ? message.info : null
  const amount = info?.value.coins ?? 0n
  const other = info === null ? null : friendly(isOut ? info.dest : info.src)
  const comment = message ? bodyJson(message) : null
  return {
    parsed: {
      ...{ seqno: null, body: comment, status: succeeded(tx) ? 'success' : 'failed', dest: isOut ? other : null },
      ...{ kind: isOut ? 'out' : 'in', amount: String(isOut ? -amount : amount) },
      ...{ resolvedAddress: other ?? '', bounced: info?.bounced ?? false, mentioned: other === null ? [] : [other] },
    },
    operation: {
      address: other ?? '',
      ...(comment?.type === 'comment' ? { comment: comment.comment } : {}),
      items: [{ kind: 'ton', amount: fromNano(amount) }],
    },
  }
}

/** A transaction as API v4 reads it. */
export const parsedJson = (tx: TonTx, address: Address) => {
  const { parsed, lt, hash } = tx
  const { prevTransactionLt, prevTransactionHash, stateUpdate, inMessage } = parsed
  return {
    ...{ address: friendly(address), lt: String(lt), hash: Buffer.from(hash, 'hex').toString('base64') },
    prevTransaction: { lt: String(prevTransactionLt), hash: hashBytes(prevTransactionHash) },
    ...{ time: parsed.now, outMessagesCount: parsed.outMessagesCount },
    ...{ oldStatus: parsed.oldStatus, newStatus: parsed.endStatus, fees: String(parsed.totalFees.coins) },
    update: { oldHash: stateUpdate.oldHash.toString('base64'), newHash: stateUpdate.newHash.toString('base64') },
    inMessage: inMessage ? messageJson(inMessage) : null,
    outMessages: parsed.outMessages.values().map(messageJson),
    ...readingOf(tx),
  }
}
