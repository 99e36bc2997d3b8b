import { beginCell, type Cell, external, type Message, storeMessage } from '@ton/core'
import type { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1.js'
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

/** The external message of a wallet: its hash and its bytes. @param isFirst whether it brings the wallet's code */
export const externalMessage = ({ address, init }: WalletContractV5R1, body: Cell, isFirst: boolean) => {
  const message = external({ to: address, init: isFirst ? init : null, body })
  const boc = beginCell().store(storeMessage(message)).endCell().toBoc()
  return { hash: externalHash(message), boc }
}
