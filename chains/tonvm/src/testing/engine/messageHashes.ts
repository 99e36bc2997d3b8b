import { beginCell, type Cell, type Message, storeMessage } from '@ton/core'

/**
 * Hash of an external message that does not depend on how it was serialised: without source, import fee and initial state, with the body
 * in a reference (TEP-467).
 */
export const externalHash = ({ info, body }: Message): string => {
  if (info.type !== 'external-in') throw new Error('The message is not external')
  const message: Message = { info: { type: 'external-in', dest: info.dest, importFee: 0n }, body }
  return beginCell()
    .store(storeMessage(message, { forceRef: true }))
    .endCell()
    .hash()
    .toString('hex')
}

/** The incoming message of a transaction, as it was serialised. */
export const rawInMessage = (transaction: Cell): Cell => {
  const messages = transaction.beginParse().loadRef().beginParse()
  messages.loadBit()
  return messages.loadRef()
}

/** Every hash by which a message is known. */
export const hashesOf = (message: Message, cell: Cell): readonly string[] => {
  const hash = cell.hash().toString('hex')
  return message.info.type === 'external-in' ? [...new Set([hash, externalHash(message)])] : [hash]
}
