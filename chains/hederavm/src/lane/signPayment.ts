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
 * Signs a payment once for each of its consensus nodes, under one transaction id (chains.md hederavm 5). `raw` is one list of all.
 * @throws ServiceError SERVICE_UNAVAILABLE when a signer does not sign, or signs something else
 */
export const signPayment = async (
  payment: PreparedPayment,
  signers: readonly Signer[],
): Promise<{ readonly txId: string; readonly raw: Hex }> => {
  const sdk = await loadSdk()
  const parts = await Promise.all(payment.nodes.map((node) => signedAt(sdk, payment, node, signers)))
  const id = { payer: payment.payer, start: BigInt(payment.start), scheduled: false, nonce: 0 }
  return { txId: transactionIdText(id), raw: `0x${Buffer.concat(parts).toString('hex')}` }
}

const signedAt = async (
  sdk: Sdk,
  payment: PreparedPayment,
  node: string,
  signers: readonly Signer[],
): Promise<Uint8Array> => {
  const transaction = transactionAt(sdk, payment, node)
  for (const signer of signers) {
    const key = sdk.PublicKey.fromBytesECDSA(compressPublicKey(signer.publicKey))
    await transaction.signWith(key, async (body) => (await signChecked(signer, keccak_256(body))).subarray(0, RS_BYTES))
  }
  return transaction.toBytes()
}

/** The transaction that one consensus node takes. */
const transactionAt = (sdk: Sdk, payment: PreparedPayment, node: string): TransferTransaction => {
  const { payer, start, duration, maxFee, memo, entries } = payment
  const { AccountId, Hbar, Timestamp, TransactionId } = sdk
  const nanos = BigInt(start)
  const validStart = new Timestamp(Number(nanos / SECOND), Number(nanos % SECOND))
  return addTransfers(sdk, new sdk.TransferTransaction(), entries)
    .setTransactionId(TransactionId.withValidStart(AccountId.fromString(payer), validStart))
    .setNodeAccountIds([AccountId.fromString(node)])
    .setTransactionValidDuration(Number(duration))
    .setTransactionMemo(memo)
    .setMaxTransactionFee(Hbar.fromTinybars(maxFee))
    .freeze()
}

const LIST_TAG = 0x0a
const CONTINUES = 0x80
const SEVEN_BITS = 7

/** The lists of one transaction each that `raw` is made of, in the order of its nodes: a protobuf `TransactionList` is one field, repeated. */
export const partsOf = (raw: Hex): readonly Uint8Array[] => {
  const bytes = Buffer.from(raw.slice(2), 'hex')
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== LIST_TAG) throw new Error('The stored bytes are no payment of Hedera.')
    let [length, shift, next] = [0, 0, at + 1]
    for (let more = true; more; next += 1) {
      const byte = bytes[next] ?? 0
      length += (byte & (CONTINUES - 1)) * 2 ** shift
      shift += SEVEN_BITS
      more = (byte & CONTINUES) !== 0
    }
    parts.push(bytes.subarray(at, next + length))
    at = next + length
  }
  return parts
}
