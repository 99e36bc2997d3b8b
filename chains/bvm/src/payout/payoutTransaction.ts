import type { Hex, Json } from '@causeway/core'
import { crypto, Transaction } from 'bitcoinjs-lib'
import { payToKeyHash } from '../address/addresses.js'
import { equalBytes, readScript } from '../address/scriptAddress.js'
import type { Coin } from './coins/coin.js'
import type { CoinOutput } from './coins/selectCoins.js'
import { transactionWeight, virtualSize } from './coins/sizes.js'

/** Signals that a later version may replace this one (BIP-125). */
const REPLACEABLE = 0xffff_fffd
const VERSION = 2
/** DER at its largest, with one byte of sighash behind. */
const ALL = Transaction.SIGHASH_ALL

export type PayoutInput = Pick<Coin, 'txId' | 'index' | 'value' | 'script'>

/** A payment of ours before it is signed. Inputs are P2WPKH, of the solver, of the depository or of deposit addresses. */
export interface PayoutTransaction {
  readonly inputs: readonly PayoutInput[]
  readonly outputs: readonly CoinOutput[]
  /** Place of the change among the outputs; null without change. */
  readonly changeAt: number | null
  /** Deposit addresses that it spends from, in the order of their outputs; absent: none. */
  readonly sweeps?: readonly SweepKey[]
}

/** A deposit address, and of what its key is made. */
export interface SweepKey {
  readonly orderId: Hex
  readonly salt: Hex
  readonly script: Uint8Array
}

/** Satoshis that the network gets. */
export const payoutFee = ({ inputs, outputs }: PayoutTransaction): bigint => sumOf(inputs) - sumOf(outputs)

/** Virtual bytes once it is signed, never too low. */
export const payoutSize = ({ inputs, outputs }: Pick<PayoutTransaction, 'inputs' | 'outputs'>): bigint => {
  const kinds = inputs.map(({ script }) => readScript(script)?.kind ?? 'p2wpkh')
  return virtualSize(
    transactionWeight(
      kinds,
      outputs.map(({ script }) => script),
    ),
  )
}

const sumOf = (parts: readonly { readonly value: bigint }[]): bigint =>
  parts.reduce((sum, { value }) => sum + value, 0n)

/** Signs a 32-byte digest; 64 bytes r, s with a low s, and perhaps more. */
export interface InputSigner {
  /** 33 bytes. */
  readonly publicKey: Uint8Array
  sign(digest: Uint8Array): Promise<Uint8Array>
}

/**
 * Signs every input with the key of its script.
 * @throws Error when an input belongs to none of the keys
 */
export const signPayout = async (
  payout: PayoutTransaction,
  signers: readonly InputSigner[],
): Promise<{ readonly txId: string; readonly raw: Uint8Array }> => {
  const transaction = unsigned(payout)
  const witnesses = await Promise.all(
    payout.inputs.map(async ({ script, value }, at) => {
      const signer = signers.find(({ publicKey }) => equalBytes(script, keyScript(publicKey)))
      if (signer === undefined) throw new Error('An input of the payment belongs to none of the keys.')
      const code = payToKeyHash(crypto.hash160(signer.publicKey))
      const signature = await signer.sign(transaction.hashForWitnessV0(at, code, value, ALL))
      return [derSignature(signature, ALL), signer.publicKey]
    }),
  )
  witnesses.forEach((witness, at) => {
    transaction.setWitness(at, witness)
  })
  return { txId: transaction.getId(), raw: transaction.toBuffer() }
}

/** The id is known before the signatures are: witnesses are no part of it. */
export const payoutId = (payout: PayoutTransaction): string => unsigned(payout).getId()

/** Output script of the P2WPKH address of a compressed key. */
export const keyScript = (publicKey: Uint8Array): Uint8Array => Uint8Array.from([0, 20, ...crypto.hash160(publicKey)])

const unsigned = ({ inputs, outputs }: PayoutTransaction): Transaction => {
  const transaction = new Transaction()
  transaction.version = VERSION
  for (const { txId, index } of inputs) {
    transaction.addInput(Uint8Array.from(Buffer.from(txId, 'hex').reverse()), index, REPLACEABLE)
  }
  for (const { script, value } of outputs) transaction.addOutput(script, value)
  return transaction
}

const derSignature = (signature: Uint8Array, sighash: number): Uint8Array => {
  const body = [...derInteger(signature.subarray(0, 32)), ...derInteger(signature.subarray(32, 64))]
  return Uint8Array.from([0x30, body.length, ...body, sighash])
}

/** The shortest form of a positive number. */
const derInteger = (bytes: Uint8Array): readonly number[] => {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = [...bytes.subarray(start < 0 ? bytes.length - 1 : start)]
  const value = (digits[0] ?? 0) > 0x7f ? [0, ...digits] : digits
  return [2, value.length, ...value]
}

/** Plain data for the database: amounts as decimal text, scripts as hex. */
export const encodePayout = ({ inputs, outputs, changeAt, sweeps }: PayoutTransaction): Json => ({
  inputs: inputs.map(({ txId, index, value, script }) => ({ txId, index, value: `${value}`, script: hex(script) })),
  outputs: outputs.map(({ value, script }) => ({ value: `${value}`, script: hex(script) })),
  changeAt,
  ...(sweeps && { sweeps: sweeps.map(({ orderId, salt, script }) => ({ orderId, salt, script: hex(script) })) }),
})

/** What `encodePayout` gave; only our own journal holds it. */
export const decodePayout = (json: Json): PayoutTransaction => {
  // CAST: written by encodePayout.
  const { inputs, outputs, changeAt, sweeps } = json as unknown as StoredPayout
  return {
    inputs: inputs.map(({ txId, index, value, script }) => ({
      txId,
      index,
      value: BigInt(value),
      script: bytes(script),
    })),
    outputs: outputs.map(({ value, script }) => ({ value: BigInt(value), script: bytes(script) })),
    changeAt,
    ...(sweeps && { sweeps: sweeps.map(({ script, ...key }) => ({ ...key, script: bytes(script) })) }),
  }
}

interface StoredOutput {
  readonly value: string
  readonly script: string
}

interface StoredPayout {
  readonly inputs: readonly (StoredOutput & { readonly txId: string; readonly index: number })[]
  readonly outputs: readonly StoredOutput[]
  readonly changeAt: number | null
  readonly sweeps?: readonly (Omit<SweepKey, 'script'> & { readonly script: string })[]
}

const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))
