import type { Hex, Json } from '@causeway/core'
import { ServiceError } from '@causeway/core'
import type { Delegation, PreparedAttempt, Signer } from '@causeway/core/chain'
import { signChecked } from '@causeway/core/chain'
import type { Address, TransactionSerializable } from 'viem'
import { bytesToHex, keccak256, publicKeyToAddress, serializeTransaction, slice } from 'viem/utils'
import { authorizationsOf } from '../payout/delegations.js'

/** A transaction with everything chosen but the signature; stored as JSON with amounts as decimal text. */
export interface LaneTransaction {
  readonly type: 'eip1559' | 'eip7702' | 'legacy'
  readonly chainId: number
  readonly from: string
  readonly nonce: number
  readonly to: string
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  /** Legacy: the gas price, in both. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Maximum cost of gas at its price, replacements included; absent: no limit. */
  readonly feeLimit?: bigint
  /** `eip7702` only. */
  readonly delegations?: readonly Delegation[]
}

const AMOUNTS = ['value', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const

export const encodeTransaction = (tx: LaneTransaction): Json => ({
  type: tx.type,
  chainId: tx.chainId,
  from: tx.from,
  nonce: tx.nonce,
  to: tx.to,
  data: tx.data,
  value: tx.value.toString(),
  gas: tx.gas.toString(),
  maxFeePerGas: tx.maxFeePerGas.toString(),
  maxPriorityFeePerGas: tx.maxPriorityFeePerGas.toString(),
  ...(tx.feeLimit === undefined ? {} : { feeLimit: tx.feeLimit.toString() }),
  ...(tx.delegations === undefined ? {} : { delegations: tx.delegations.map((delegation) => ({ ...delegation })) }),
})

/** Throws when the stored description was not written by `encodeTransaction`. */
export const decodeTransaction = (stored: Json): LaneTransaction => {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) throw unreadable()
  const fields = stored as { readonly [key: string]: Json }
  const { type, chainId, from, nonce, to, data, delegations } = fields
  const typed = type === 'eip1559' || type === 'legacy' || (type === 'eip7702' && Array.isArray(delegations))
  if (!typed || typeof chainId !== 'number' || typeof nonce !== 'number') throw unreadable()
  if (typeof from !== 'string' || typeof to !== 'string' || typeof data !== 'string') throw unreadable()
  const [value, gas, maxFeePerGas, maxPriorityFeePerGas] = AMOUNTS.map((name) => {
    const text = fields[name]
    if (typeof text !== 'string') throw unreadable()
    return BigInt(text)
  }) as [bigint, bigint, bigint, bigint]
  const limit = typeof fields.feeLimit === 'string' ? { feeLimit: BigInt(fields.feeLimit) } : {}
  const priced = { gas, maxFeePerGas, maxPriorityFeePerGas, ...limit }
  const shared = { chainId, from, nonce, to, data: data as Hex, value, ...priced }
  // CAST: written by `encodeTransaction`, as the type says.
  return type === 'eip7702'
    ? { ...shared, type, delegations: delegations as unknown as readonly Delegation[] }
    : { ...shared, type }
}

const unreadable = () => new Error('The stored transaction of this chain cannot be read.')

/** Replay guard of a nonce. */
export const nonceGuard = (address: string, nonce: number): string => `nonce:${address}:${nonce}`

/** Reverse of `nonceGuard`; null for other guards. */
export const readNonceGuard = (guard: string): { readonly address: string; readonly nonce: bigint } | null => {
  const [, address, nonce] = guard.match(/^nonce:(0x[0-9a-f]{40}):([0-9]+)$/) ?? []
  return address === undefined || nonce === undefined ? null : { address, nonce: BigInt(nonce) }
}

/** The stored form with the most it can cost: gas times fee, plus the value moved is not part of it. */
export const preparedOf = (
  tx: LaneTransaction,
  kind: PreparedAttempt['kind'],
  guards: readonly string[],
): PreparedAttempt => ({
  kind,
  transaction: encodeTransaction(tx),
  guards,
  feeCap: tx.gas * tx.maxFeePerGas,
})

const addresses = new WeakMap<Signer, string>()

/** Lower-case account address of a secp256k1 signer. */
export const addressOfSigner = (signer: Signer): string => {
  const known = addresses.get(signer)
  if (known !== undefined) return known
  const address = publicKeyToAddress(bytesToHex(signer.publicKey)).toLowerCase()
  addresses.set(signer, address)
  return address
}

const serializable = (tx: LaneTransaction): TransactionSerializable => {
  // CAST: a stored lower-case address.
  const shared = { nonce: tx.nonce, to: tx.to as Address, data: tx.data, value: tx.value, gas: tx.gas }
  const { chainId, maxFeePerGas, maxPriorityFeePerGas } = tx
  if (tx.type === 'legacy') return { ...shared, type: 'legacy', chainId, gasPrice: maxFeePerGas }
  const priced = { ...shared, chainId, maxFeePerGas, maxPriorityFeePerGas }
  if (tx.type === 'eip1559') return { ...priced, type: 'eip1559' }
  return { ...priced, type: 'eip7702', authorizationList: authorizationsOf(tx.delegations ?? []) }
}

/**
 * Signed bytes and their hash. The signature is checked against the sender before it is used: a remote signer may
 * have signed something else (F113).
 */
export const signTransaction = async (
  tx: LaneTransaction,
  signer: Signer,
): Promise<{ readonly txId: Hex; readonly raw: Hex }> => {
  if (addressOfSigner(signer) !== tx.from)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The signer of this chain is not the payout account.')
  const unsigned = serializable(tx)
  const signature = bytesToHex(await signChecked(signer, keccak256(serializeTransaction(unsigned), 'bytes')))
  const v = BigInt(slice(signature, 64, 65))
  const parts = { r: slice(signature, 0, 32), s: slice(signature, 32, 64), v, yParity: Number(v - 27n) }
  const raw = serializeTransaction(unsigned, parts)
  return { txId: keccak256(raw), raw }
}
