import type { Hex } from '../money/hex.js'
import { type AddressCodecs, addressCodecOf } from './encoding/vmCodecs.js'
import { EvmWords, parseUint256, parseUint256OrHex, requireUint32, WORD } from './evmWords.js'
import { bytesToHex, hexToBytes } from './hexBytes.js'
import { keccak256 } from './keccak256.js'
import type { Order, OrderFee, OrderInput, OrderOutput, OrderOutputPayment } from './order.js'
import { OrderEncodingError } from './orderEncodingError.js'

const textHash = (text: string) => keccak256(new TextEncoder().encode(text))

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
const emptyHash = keccak256(new Uint8Array(0))

/** Hashes of slugs seen. Only configured slugs get here, the bound is for processes that meet many configurations. */
const slugHashes = new Map<string, Uint8Array>()
const maxSlugHashes = 1024

function hashSlug(slug: string, encoding: Encoding): Uint8Array {
  vmTypeOf(slug, encoding)
  const known = slugHashes.get(slug)
  if (known !== undefined) return known
  if (slugHashes.size >= maxSlugHashes) slugHashes.clear()
  const hash = textHash(slug)
  slugHashes.set(slug, hash)
  return hash
}

interface Encoding {
  readonly vmTypeBySlug: Readonly<Record<string, string>>
  readonly codecs: AddressCodecs | undefined
}

/**
 * The order id: EIP-712 struct hash of `Order` with every recipient and currency in its VM's byte encoding, without a
 * domain (chains.md "Hashing"). Equal meaning gives the equal id: letter case of EVM addresses, leading zeros of numbers
 * and the order of JSON keys do not matter. Fields that are not part of an order are ignored; `OrderSchema` refuses them.
 *
 * @param vmTypeBySlug protocol VM name (`ethereum-vm`) of each configured chain slug
 * @param codecs address codecs of VMs beyond the nine of the protocol
 * @throws OrderEncodingError on an unknown slug or VM, or a field out of range or malformed
 */
export function computeOrderId(
  order: Order,
  vmTypeBySlug: Readonly<Record<string, string>>,
  codecs?: AddressCodecs,
): Hex {
  if (order.version !== version) throw new OrderEncodingError('version: only v1 orders are known')
  const encoding: Encoding = { vmTypeBySlug, codecs }
  const words = new EvmWords(8)
    .set(0, typeHashes.order)
    .set(1, versionHash)
    .set(2, hashSlug(order.solverChainId, encoding))
    .setAddress(3, hexToBytes(order.solver, 'solver', 20))
    .setUint(4, parseUint256OrHex(order.salt, 'salt'))
    .set(5, hashArray(order.inputs, hashInput, encoding))
    .set(6, hashOutput(order.output, encoding))
    .set(7, hashArray(order.fees, hashFee, encoding))
  return bytesToHex(keccak256(words.bytes))
}

function vmTypeOf(slug: string, { vmTypeBySlug }: Encoding): string {
  const vmType = Object.hasOwn(vmTypeBySlug, slug) ? vmTypeBySlug[slug] : undefined
  if (vmType === undefined) throw new OrderEncodingError(`Unknown chain ${String(slug).slice(0, 32)}`)
  return vmType
}

/** Hash of an address or currency in the encoding of its chain. */
function hashAddress(slug: string, text: string, encoding: Encoding): Uint8Array {
  return keccak256(addressCodecOf(vmTypeOf(slug, encoding), encoding.codecs).encode(text))
}

function hashBytes(hex: string, what: string): Uint8Array {
  return hex === '0x' ? emptyHash : keccak256(hexToBytes(hex, what))
}

function hashArray<T>(items: readonly T[], hashItem: (item: T, encoding: Encoding) => Uint8Array, encoding: Encoding) {
  if (items.length === 0) return emptyHash
  const hashes = new Uint8Array(items.length * WORD)
  items.forEach((item, index) => {
    hashes.set(hashItem(item, encoding), index * WORD)
  })
  return keccak256(hashes)
}

function hashInput({ payment, refunds }: OrderInput, encoding: Encoding): Uint8Array {
  const paymentWords = new EvmWords(5)
    .set(0, typeHashes.inputPayment)
    .set(1, hashSlug(payment.chainId, encoding))
    .set(2, hashAddress(payment.chainId, payment.currency, encoding))
    .setUint(3, parseUint256(payment.amount, 'payment.amount'))
    .setUint(4, parseUint256(payment.weight, 'payment.weight'))
  const words = new EvmWords(3)
    .set(0, typeHashes.input)
    .set(1, keccak256(paymentWords.bytes))
    .set(2, hashArray(refunds, hashRefund, encoding))
  return keccak256(words.bytes)
}

function hashRefund(refund: OrderInput['refunds'][number], encoding: Encoding): Uint8Array {
  const words = new EvmWords(7)
    .set(0, typeHashes.inputRefund)
    .set(1, hashSlug(refund.chainId, encoding))
    .set(2, hashAddress(refund.chainId, refund.recipient, encoding))
    .set(3, hashAddress(refund.chainId, refund.currency, encoding))
    .setUint(4, parseUint256(refund.minimumAmount, 'refund.minimumAmount'))
    .setUint(5, requireUint32(refund.deadline, 'refund.deadline'))
    .set(6, hashBytes(refund.extraData, 'refund.extraData'))
  return keccak256(words.bytes)
}

function hashOutput(output: OrderOutput, encoding: Encoding): Uint8Array {
  const hashPayment = (payment: OrderOutputPayment) => hashOutputPayment(output.chainId, payment, encoding)
  const words = new EvmWords(6)
    .set(0, typeHashes.output)
    .set(1, hashSlug(output.chainId, encoding))
    .set(2, hashArray(output.payments, hashPayment, encoding))
    .setUint(3, requireUint32(output.deadline, 'output.deadline'))
    .set(
      4,
      hashArray(output.calls, (call) => hashBytes(call, 'output.calls'), encoding),
    )
    .set(5, hashBytes(output.extraData, 'output.extraData'))
  return keccak256(words.bytes)
}

function hashOutputPayment(slug: string, payment: OrderOutputPayment, encoding: Encoding): Uint8Array {
  const words = new EvmWords(5)
    .set(0, typeHashes.outputPayment)
    .set(1, hashAddress(slug, payment.recipient, encoding))
    .set(2, hashAddress(slug, payment.currency, encoding))
    .setUint(3, parseUint256(payment.minimumAmount, 'output.minimumAmount'))
    .setUint(4, parseUint256(payment.expectedAmount, 'output.expectedAmount'))
  return keccak256(words.bytes)
}

function hashFee(fee: OrderFee, encoding: Encoding): Uint8Array {
  const words = new EvmWords(6)
    .set(0, typeHashes.fee)
    .set(1, hashSlug(fee.recipientChainId, encoding))
    .set(2, hashAddress(fee.recipientChainId, fee.recipient, encoding))
    .set(3, hashSlug(fee.currencyChainId, encoding))
    .set(4, hashAddress(fee.currencyChainId, fee.currency, encoding))
    .setUint(5, parseUint256(fee.amount, 'fee.amount'))
  return keccak256(words.bytes)
}
