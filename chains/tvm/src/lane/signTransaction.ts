import { createHash } from 'node:crypto'
import { type Hex, ServiceError } from '@causeway/core'
import { type Signer, signChecked } from '@causeway/core/chain'
import { hexOf, sunNumber } from '../address/addresses.js'
import { addressOfKey } from '../address/keyAddress.js'
import type { PreparedPayment } from '../payout/paymentForm.js'
import { fundingMark } from './marks.js'

/** `tronweb` takes a second to load: only a chain that pays does. */
export const loadEncoder = async (): Promise<typeof import('tronweb').utils.transaction> =>
  (await import('tronweb')).utils.transaction

export interface SignedTransaction {
  /** SHA-256 of the bytes that are signed. */
  readonly id: string
  /** The transaction as nodes take it, hex. */
  readonly hex: string
}

/** Fields of a transaction without its signature. */
export type Unsigned = Omit<PreparedPayment, 'funding'>

/**
 * Encodes a transaction and signs it with the key of its owner.
 * @throws ServiceError SERVICE_UNAVAILABLE when the signer has another key, does not sign, or signs something else
 */
export const signTransaction = async (unsigned: Unsigned, signer: Signer): Promise<SignedTransaction> => {
  if (addressOfKey(signer.publicKey) !== unsigned.owner)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The key at hand is not the key of the account that would pay.')
  const { txJsonToPb, txPbToRawDataHex } = await loadEncoder()
  const rawHex = txPbToRawDataHex(txJsonToPb(jsonOf(unsigned))).toLowerCase()
  const digest = createHash('sha256').update(Buffer.from(rawHex, 'hex')).digest()
  const signature = Buffer.from(await signChecked(signer, digest)).toString('hex')
  const hex = `0a${varint(rawHex.length / 2)}${rawHex}12${varint(signature.length / 2)}${signature}`
  return { id: digest.toString('hex'), hex }
}

const varint = (value: number): string => {
  const low = value % 128
  const byte = (number: number): string => number.toString(16).padStart(2, '0')
  return value < 128 ? byte(low) : byte(low + 128) + varint(Math.floor(value / 128))
}

/** A transaction in the form of nodes. */
const jsonOf = (unsigned: Unsigned) => {
  const { owner, to, value, data, memo, feeLimit, timestamp, expiration, refBlockBytes, refBlockHash } = unsigned
  const type = data === '' ? 'TransferContract' : 'TriggerSmartContract'
  const amount = sunNumber(BigInt(value))
  const parameter =
    type === 'TransferContract'
      ? { owner_address: hexOf(owner), to_address: hexOf(to), amount }
      : {
          owner_address: hexOf(owner),
          contract_address: hexOf(to),
          data,
          ...(amount === 0 ? {} : { call_value: amount }),
        }
  const contract = { type, parameter: { value: parameter, type_url: `type.googleapis.com/protocol.${type}` } }
  return {
    visible: false,
    raw_data: {
      ...{ contract: [contract], ref_block_bytes: refBlockBytes, ref_block_hash: refBlockHash },
      ...{ expiration: Number(expiration), timestamp: Number(timestamp) },
      ...(memo === '' ? {} : { data: memo }),
      ...(feeLimit === '0' ? {} : { fee_limit: sunNumber(BigInt(feeLimit)) }),
    },
  }
}

/** A signed payment: a sweep after the TRX that pays for it. */
export interface SignedParts {
  readonly funding: SignedTransaction | null
  readonly payment: SignedTransaction
}

/** Signs a payment; a sweep is signed by the key of its address, and its funding by that of the solver. */
export const signPayment = async (
  { funding, ...payment }: PreparedPayment,
  signer: Signer,
  keyOfAddress: (address: NonNullable<PreparedPayment['funding']>['address']) => Signer,
): Promise<SignedParts> => {
  if (funding === null) return { funding: null, payment: await signTransaction(payment, signer) }
  const { from, amount, address } = funding
  const sweep = await signTransaction(payment, keyOfAddress(address))
  const sent: Unsigned = {
    ...{ ...payment, owner: from, to: address.destination.address, value: amount, data: '', feeLimit: '0' },
    memo: fundingMark(address.orderId, sweep.id),
  }
  return { funding: await signTransaction(sent, signer), payment: sweep }
}

const LENGTH_DIGITS = 8

/** The bytes that are stored: one transaction, or the funding with its length before the sweep. */
export const rawOf = ({ funding, payment }: SignedParts): Hex =>
  funding === null
    ? `0x${payment.hex}`
    : `0x${(funding.hex.length / 2).toString(16).padStart(LENGTH_DIGITS, '0')}${funding.hex}${payment.hex}`

/** Transactions of stored bytes, the funding first. */
export const partsOf = (raw: Hex, hasFunding: boolean): readonly string[] => {
  const hex = raw.slice(2)
  if (!hasFunding) return [hex]
  const end = LENGTH_DIGITS + Number.parseInt(hex.slice(0, LENGTH_DIGITS), 16) * 2
  return [hex.slice(LENGTH_DIGITS, end), hex.slice(end)]
}
