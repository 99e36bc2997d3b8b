import { bytesToHex, type Hex, hexToBytes, type Json, ServiceError } from '@causeway/core'
import { type PreparedAttempt, type Signer, signChecked } from '@causeway/core/chain'
import { requireSweepKey, saltOfDerivation, seedKeyOf } from '@causeway/core/chain-kit'
import {
  type AddressLookupTableAccount,
  type Keypair,
  MessageV0,
  PublicKey,
  type TransactionInstruction,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { encodeBase58 } from '../address/base58.js'
import { SOLANA_KEYS, type SweepSigner } from '../depositAddress/addressKeys.js'

/** A transaction with everything chosen but the signatures; stored as JSON with amounts as decimal text. */
export interface LaneTransaction {
  /** Pays the fee and signs first. */
  readonly from: string
  /** Signs beside it, or null. */
  readonly cosigner: string | null
  readonly sequence: number
  readonly lastValidBlockHeight: bigint
  /** Compute units reserved, and micro-lamports offered for each. */
  readonly units: bigint
  readonly price: bigint
  /** The compiled message: exactly these bytes are signed. */
  readonly message: Hex
  /** An account of this transaction alone that has signed already: its key was forgotten after these bytes. */
  readonly escrow?: Escrow
  /** A deposit address that signs for what lies there, by a key of the seed. */
  readonly child?: SweepSigner
}

export interface Escrow {
  readonly address: string
  readonly signature: Hex
}

export const encodeTransaction = (tx: LaneTransaction): Json => ({
  from: tx.from,
  cosigner: tx.cosigner,
  sequence: tx.sequence,
  lastValidBlockHeight: tx.lastValidBlockHeight.toString(),
  units: tx.units.toString(),
  price: tx.price.toString(),
  message: tx.message,
  ...(tx.escrow === undefined ? {} : { escrow: { ...tx.escrow } }),
  ...(tx.child === undefined ? {} : { child: { ...tx.child } }),
})

/** Throws when the stored description was not written by `encodeTransaction`. */
export const decodeTransaction = (stored: Json): LaneTransaction => {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) throw unreadable()
  const { from, cosigner, sequence, lastValidBlockHeight, units, price, message, escrow, child } = stored as {
    readonly [key: string]: Json
  }
  if (typeof from !== 'string' || typeof sequence !== 'number' || typeof message !== 'string') throw unreadable()
  if (cosigner !== null && typeof cosigner !== 'string') throw unreadable()
  const [height, limit, offer] = [lastValidBlockHeight, units, price].map((value) => {
    if (typeof value !== 'string') throw unreadable()
    return BigInt(value)
  }) as [bigint, bigint, bigint]
  const shared = { from, cosigner, sequence, lastValidBlockHeight: height, units: limit, price: offer }
  return {
    ...shared,
    message: message as Hex,
    ...(escrow === undefined ? {} : { escrow: readEscrow(escrow) }),
    ...(child === undefined ? {} : { child: readChild(child) }),
  }
}

const readChild = (stored: Json): SweepSigner => {
  const { address } = Object(stored) as { readonly [key: string]: Json | undefined }
  const salt = saltOfDerivation(stored)
  if (typeof address !== 'string' || salt === null) throw unreadable()
  return { address, salt }
}

const readEscrow = (stored: Json): Escrow => {
  const { address, signature } = Object(stored) as { readonly [key: string]: Json | undefined }
  if (typeof address !== 'string' || typeof signature !== 'string') throw unreadable()
  return { address, signature: signature as Hex }
}

const unreadable = (): Error => new Error('The stored transaction of this chain cannot be read.')

/** Version 0 message of instructions, paid for by `payer`. */
export const compileMessage = (
  instructions: readonly TransactionInstruction[],
  payer: string,
  blockhash: string,
  tables: readonly AddressLookupTableAccount[] = [],
): MessageV0 =>
  MessageV0.compile({
    payerKey: new PublicKey(payer),
    instructions: [...instructions],
    recentBlockhash: blockhash,
    addressLookupTableAccounts: [...tables],
  })

/** The account of an ed25519 key. @throws ServiceError SERVICE_UNAVAILABLE for a key of another kind */
export const addressOfSigner = (signer: Signer): string => {
  if (signer.scheme !== 'ed25519') {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The key of this chain must be an ed25519 key.')
  }
  return encodeBase58(signer.publicKey)
}

/** Who signs a transaction: the lane, and as it may be the allocator, or a key of the seed. */
export interface LaneSigners {
  readonly signer: Signer
  readonly allocator: Signer | undefined
  readonly seed: Uint8Array | undefined
}

/**
 * Signed bytes and the first signature, which is the transaction's id. Every signature is checked before it is used: a remote
 * signer may have signed something else (F113). `allocator` signs where the transaction takes money out of its account, a key of `seed`
 * where it takes money out of a deposit address.
 */
export const signTransaction = async (
  tx: LaneTransaction,
  signers: LaneSigners,
): Promise<{ readonly txId: string; readonly raw: Hex }> => {
  const message = hexToBytes(tx.message, 'message')
  const signatures = await Promise.all(
    signersOf(message).map((address) =>
      address === tx.escrow?.address
        ? hexToBytes(tx.escrow.signature, 'signature', 64)
        : signChecked(chooseSigner(address, tx, signers), message),
    ),
  )
  const [first] = signatures
  if (first === undefined) throw unreadable()
  const raw = Buffer.concat([Buffer.from([signatures.length]), ...signatures, message])
  return { txId: encodeBase58(first), raw: bytesToHex(raw) }
}

/** Accounts that must sign, in the order of their signatures; the payer first. */
const signersOf = (message: Uint8Array): string[] => {
  const { header, staticAccountKeys } = VersionedMessage.deserialize(message)
  return staticAccountKeys.slice(0, header.numRequiredSignatures).map((key) => key.toBase58())
}

const chooseSigner = (address: string, tx: LaneTransaction, { signer, allocator, seed }: LaneSigners): Signer => {
  if (address === tx.from) {
    if (addressOfSigner(signer) === address) return signer
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The signer of this chain is not the payout account.')
  }
  if (tx.child !== undefined && address === tx.child.address) {
    const { salt } = tx.child
    return requireSweepKey(address, seed, (from) => seedKeyOf(SOLANA_KEYS, from, salt))
  }
  if (address !== tx.cosigner) throw unreadable()
  if (allocator !== undefined && addressOfSigner(allocator) === address) return allocator
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The allocator of this chain is not the depository account.')
}

/** The stored form with the most it can cost. */
export const preparedOf = (tx: LaneTransaction, guards: readonly string[], feeCap: bigint): PreparedAttempt => ({
  kind: 'pay',
  transaction: encodeTransaction(tx),
  guards,
  feeCap,
})

/** Stands for a transaction that must not be signed, and says why; only `sign` ever sees it. */
export const refusedTransaction = (why: string): Json => ({ refused: why })

export const refusalOf = (stored: Json): string | null => {
  const why: unknown = Reflect.get(Object(stored), 'refused')
  return typeof why === 'string' ? why : null
}

/** Signature of an account whose key nobody keeps. */
export const signOnce = (message: MessageV0, key: Keypair): Escrow => {
  const transaction = new VersionedTransaction(message)
  transaction.sign([key])
  const at = message.staticAccountKeys.findIndex((account) => account.equals(key.publicKey))
  return { address: key.publicKey.toBase58(), signature: bytesToHex(transaction.signatures[at] ?? new Uint8Array()) }
}
