import type { Message } from '@ton/core'
import { beginCell, storeMessage, storeStateInit } from '@ton/core'
import type { TonTx } from '../../engine/tonTx.js'
import { shownAddress } from './params.js'

const base64 = (cell: { toBoc(): Buffer }): string => cell.toBoc().toString('base64')

/** A message as toncenter shows it. */
export const messageJson = (message: Message) => {
  const { info, body, init } = message
  const isInternal = info.type === 'internal'
  return {
    '@type': 'ext.message',
    hash: beginCell().store(storeMessage(message)).endCell().hash().toString('base64'),
    source: info.type === 'external-in' ? '' : shownAddress(info.src),
    destination: info.type === 'external-out' ? '' : shownAddress(info.dest),
    value: String(isInternal ? info.value.coins : 0n),
    extra_currencies: [],
    fwd_fee: String(isInternal ? info.forwardFee : 0n),
    ihr_fee: String(isInternal ? info.ihrFee : 0n),
    created_lt: String(info.type === 'external-in' ? 0n : info.createdLt),
    body_hash: body.hash().toString('base64'),
    msg_data: {
      '@type': 'msg.dataRaw',
      body: base64(body),
      init_state: init ? base64(beginCell().store(storeStateInit(init)).endCell()) : '',
    },
    message: '',
  }
}

const storageFee = ({ parsed: { description } }: TonTx): bigint =>
  description.type === 'generic' ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n

/** A transaction as toncenter shows it. */
export const transactionJson = (tx: TonTx) => {
  const { parsed, cell, lt, hash } = tx
  const fee = parsed.totalFees.coins
  return {
    '@type': 'raw.transaction',
    address: { '@type': 'accountAddress', account_address: tx.account },
    utime: parsed.now,
    data: base64(cell),
    transaction_id: {
      '@type': 'internal.transactionId',
      lt: String(lt),
      hash: Buffer.from(hash, 'hex').toString('base64'),
    },
    fee: String(fee),
    storage_fee: String(storageFee(tx)),
    other_fee: String(fee - storageFee(tx)),
    ...(parsed.inMessage ? { in_msg: messageJson(parsed.inMessage) } : {}),
    out_msgs: parsed.outMessages.values().map(messageJson),
  }
}
