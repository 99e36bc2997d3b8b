import { type AddressCodecs, addressCodecOf } from './encoding/vmCodecs.js'
import { EvmWords, parseUint256, parseUint256OrHex, requireUint32, WORD } from './evmWords.js'
import { hexToBytes } from './hexBytes.js'
import type { Order, OrderFee, OrderInput, OrderOutput, OrderOutputPayment } from './order.js'
import { OrderEncodingError } from './orderEncodingError.js'
import { portableKeccak256 } from './portableKeccak.js'

/** Keccak-256 of bytes; 32 fresh bytes. */
export type Keccak256 = (bytes: Uint8Array) => Uint8Array

export interface OrderHashing {
  /** Protocol VM name (`ethereum-vm`) of each chain slug. */
  readonly vmTypeBySlug: Readonly<Record<string, string>>
  /** Address codecs of VMs beyond the nine of the protocol. */
  readonly codecs: AddressCodecs | undefined
  readonly keccak256: Keccak256
}

/** For constants only; what is hashed of an order goes through the hash of the caller. */
const textHash = (text: string) => portableKeccak256(new TextEncoder().encode(text))

const feeType = 'Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)'
const inputPaymentType = 'InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)'
const inputRefundType =
  'InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)'
const inputType = 'Input(InputPayment payment,InputRefund[] refunds)'
const outputPaymentType = 'OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)'
const outputType = 'Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)'
const orderType =
  'Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)'

/** Referenced types follow in alphabetical order (EIP-712 encodeType). */
const typeHashes = {
  order: textHash(
    orderType + feeType + inputType + inputPaymentType + inputRefundType + outputType + outputPaymentType,
  ),
  input: textHash(inputType + inputPaymentType + inputRefundType),
  inputPayment: textHash(inputPaymentType),
  inputRefund: textHash(inputRefundType),
  output: textHash(outputType + outputPaymentType),
  outputPayment: textHash(outputPaymentType),
  fee: textHash(feeType),
}

const version = 'v1'
const versionHash = textHash(version)
const emptyHash = portableKeccak256(new Uint8Array(0))

/** Hashes of slugs seen. Only configured slugs get here, the bound is for processes that meet many configurations. */
const slugHashes = new Map<string, Uint8Array>()
const maxSlugHashes = 1024

function hashSlug(slug: string, hashing: OrderHashing): Uint8Array {
  vmTypeOf(slug, hashing)
  const known = slugHashes.get(slug)
  if (known !== undefined) return known
  if (slugHashes.size >= maxSlugHashes) slugHashes.clear()
  const hash = textHash(slug)
  slugHashes.set(slug, hash)
  return hash
}

/**
 * The 32 bytes of an order id; `computeOrderId` says what it is made of. This module needs no Node, the hash is the caller's.
 * @throws OrderEncodingError on an unknown slug or VM, or a field out of range or malformed
 */
export function hashOrder(order: Order, hashing: OrderHashing): Uint8Array {
  if (order.version !== version) throw new OrderEncodingError('version: only v1 orders are known')
  const words = new EvmWords(8)
    .set(0, typeHashes.order)
    .set(1, versionHash)
    .set(2, hashSlug(order.solverChainId, hashing))
    .setAddress(3, hexToBytes(order.solver, 'solver', 20))
    .setUint(4, parseUint256OrHex(order.salt, 'salt'))
    .set(5, hashArray(order.inputs, hashInput, hashing))
    .set(6, hashOutput(order.output, hashing))
    .set(7, hashArray(order.fees, hashFee, hashing))
  return hashing.keccak256(words.bytes)
}

function vmTypeOf(slug: string, { vmTypeBySlug }: OrderHashing): string {
  const vmType = Object.hasOwn(vmTypeBySlug, slug) ? vmTypeBySlug[slug] : undefined
  if (vmType === undefined) throw new OrderEncodingError(`Unknown chain ${String(slug).slice(0, 32)}`)
  return vmType
}

/** Hash of an address or currency in the encoding of its chain. */
function hashAddress(slug: string, text: string, hashing: OrderHashing): Uint8Array {
  return hashing.keccak256(addressCodecOf(vmTypeOf(slug, hashing), hashing.codecs).encode(text))
}

function hashBytes(hex: string, what: string, hashing: OrderHashing): Uint8Array {
  return hex === '0x' ? emptyHash : hashing.keccak256(hexToBytes(hex, what))
}

function hashArray<T>(
  items: readonly T[],
  hashItem: (item: T, hashing: OrderHashing) => Uint8Array,
  hashing: OrderHashing,
) {
  if (items.length === 0) return emptyHash
  const hashes = new Uint8Array(items.length * WORD)
  items.forEach((item, index) => {
    hashes.set(hashItem(item, hashing), index * WORD)
  })
  return hashing.keccak256(hashes)
}

function hashInput({ payment, refunds }: OrderInput, hashing: OrderHashing): Uint8Array {
  const paymentWords = new EvmWords(5)
    .set(0, typeHashes.inputPayment)
    .set(1, hashSlug(payment.chainId, hashing))
    .set(2, hashAddress(payment.chainId, payment.currency, hashing))
    .setUint(3, parseUint256(payment.amount, 'payment.amount'))
    .setUint(4, parseUint256(payment.weight, 'payment.weight'))
  const words = new EvmWords(3)
    .set(0, typeHashes.input)
    .set(1, hashing.keccak256(paymentWords.bytes))
    .set(2, hashArray(refunds, hashRefund, hashing))
  return hashing.keccak256(words.bytes)
}

function hashRefund(refund: OrderInput['refunds'][number], hashing: OrderHashing): Uint8Array {
  const words = new EvmWords(7)
    .set(0, typeHashes.inputRefund)
    .set(1, hashSlug(refund.chainId, hashing))
    .set(2, hashAddress(refund.chainId, refund.recipient, hashing))
    .set(3, hashAddress(refund.chainId, refund.currency, hashing))
    .setUint(4, parseUint256(refund.minimumAmount, 'refund.minimumAmount'))
    .setUint(5, requireUint32(refund.deadline, 'refund.deadline'))
    .set(6, hashBytes(refund.extraData, 'refund.extraData', hashing))
  return hashing.keccak256(words.bytes)
}

function hashOutput(output: OrderOutput, hashing: OrderHashing): Uint8Array {
  const hashPayment = (payment: OrderOutputPayment) => hashOutputPayment(output.chainId, payment, hashing)
  const words = new EvmWords(6)
    .set(0, typeHashes.output)
    .set(1, hashSlug(output.chainId, hashing))
    .set(2, hashArray(output.payments, hashPayment, hashing))
    .setUint(3, requireUint32(output.deadline, 'output.deadline'))
    .set(
      4,
      hashArray(output.calls, (call) => hashBytes(call, 'output.calls', hashing), hashing),
    )
    .set(5, hashBytes(output.extraData, 'output.extraData', hashing))
  return hashing.keccak256(words.bytes)
}

function hashOutputPayment(slug: string, payment: OrderOutputPayment, hashing: OrderHashing): Uint8Array {
  const words = new EvmWords(5)
    .set(0, typeHashes.outputPayment)
    .set(1, hashAddress(slug, payment.recipient, hashing))
    .set(2, hashAddress(slug, payment.currency, hashing))
    .setUint(3, parseUint256(payment.minimumAmount, 'output.minimumAmount'))
    .setUint(4, parseUint256(payment.expectedAmount, 'output.expectedAmount'))
  return hashing.keccak256(words.bytes)
}

function hashFee(fee: OrderFee, hashing: OrderHashing): Uint8Array {
  const words = new EvmWords(6)
    .set(0, typeHashes.fee)
    .set(1, hashSlug(fee.recipientChainId, hashing))
    .set(2, hashAddress(fee.recipientChainId, fee.recipient, hashing))
    .set(3, hashSlug(fee.currencyChainId, hashing))
    .set(4, hashAddress(fee.currencyChainId, fee.currency, hashing))
    .setUint(5, parseUint256(fee.amount, 'fee.amount'))
  return hashing.keccak256(words.bytes)
}
