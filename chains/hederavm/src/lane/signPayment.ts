import type { Hex } from '@causeway/core'
import { compressPublicKey, type Signer, signChecked } from '@causeway/core/chain'
import type { TransferTransaction } from '@hashgraph/sdk'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { SECOND } from '../address/times.js'
import { transactionIdText } from '../address/transactionIds.js'
import type { PreparedPayment } from '../payout/paymentForm.js'
import { loadSdk, type Sdk } from './sdk.js'
import { addTransfers } from './transfers.js'

const RS_BYTES = 64

/**
 * Signs a payment for each of its consensus nodes, under one transaction id (chains.md hederavm 5). `raw` is one list of all, in their order.
 * @throws ServiceError SERVICE_UNAVAILABLE when a signer does not sign, or signs something else
 */
export const signPayment = async (
  payment: PreparedPayment,
  signers: readonly Signer[],
): Promise<{ readonly txId: string; readonly raw: Hex }> => {
  const sdk = await loadSdk()
  const start = BigInt(payment.start)
  const transaction = transactionOf(sdk, payment, start)
  for (const signer of signers) {
    const key = sdk.PublicKey.fromBytesECDSA(compressPublicKey(signer.publicKey))
    await transaction.signWith(key, async (body) => (await signChecked(signer, keccak_256(body))).subarray(0, RS_BYTES))
  }
  const txId = transactionIdText({ payer: payment.payer, start, scheduled: false, nonce: 0 })
  return { txId, raw: `0x${Buffer.from(transaction.toBytes()).toString('hex')}` }
}

const transactionOf = (
  sdk: Sdk,
  { payer, duration, maxFee, memo, entries, nodes }: PreparedPayment,
  start: bigint,
): TransferTransaction => {
  const { AccountId, Hbar, Timestamp, TransactionId } = sdk
  const validStart = new Timestamp(Number(start / SECOND), Number(start % SECOND))
  return addTransfers(sdk, new sdk.TransferTransaction(), entries)
    .setTransactionId(TransactionId.withValidStart(AccountId.fromString(payer), validStart))
    .setNodeAccountIds(nodes.map((node) => AccountId.fromString(node)))
    .setTransactionValidDuration(Number(duration))
    .setTransactionMemo(memo)
    .setMaxTransactionFee(Hbar.fromTinybars(maxFee))
    .freeze()
}

/** The lists of one transaction each that `raw` is made of, in the order of its nodes. */
export const partsOf = async (raw: Hex): Promise<readonly Uint8Array[]> => {
  const { TransactionList } = (await import('@hiero-ledger/proto')).proto
  const { transactionList } = TransactionList.decode(Buffer.from(raw.slice(2), 'hex'))
  return transactionList.map((one) => TransactionList.encode({ transactionList: [one] }).finish())
}
