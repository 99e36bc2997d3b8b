import { createHash } from 'node:crypto'
import { addressOfKey } from '../../adapter/ledgerChain/src/address.js'
import type { LedgerRecord, LedgerTransfer } from '../../adapter/ledgerChain/src/transaction.js'
import { addressOfTerms, type SimSweep } from './address/simSweep.js'
import { isPermitSigned, permitKey, type SimPermit } from './permit/simPermit.js'
import { isSigned, type SimKey } from './simKeys.js'

/** A transfer of a simulated ledger: that of the example, with a fee, and perhaps paid for by another account. */
export interface SimTransfer extends LedgerTransfer {
  /** The ledger that it is for. */
  readonly network: string
  /** Whose sequence it takes and who pays its fee: `from`, unless the depository pays out. Both sign. */
  readonly account: string
  /** What is paid for its inclusion, smallest unit of the coin. */
  readonly fee: string
  /** Takes all that lies at `from`, a deposit address, into the depository: whoever knows its terms may do it. */
  readonly sweep?: SimSweep
  /** Takes what its owner, `from`, has signed for into the depository: whoever knows the permit may do it. */
  readonly permit?: SimPermit
  /** It does so by a call that its owner wants sent. */
  readonly call?: true
  /** Makes what its sender signed for void. */
  readonly revokes?: SimRevocation
}

/** The permit that an owner revokes. */
export type SimRevocation = Pick<SimPermit, 'orderId' | 'owner' | 'currency'>

/** Money that a sweep moved; decimal text. */
export interface SweptMoney {
  readonly currency: string
  readonly amount: string
}

/** A transfer as nodes show it. */
export interface SimRecord extends LedgerRecord {
  readonly transfer: SimTransfer
  /** Of a sweep in a block: what lay there. */
  readonly swept?: readonly SweptMoney[]
}

interface SignedSimTransfer {
  readonly transfer: SimTransfer
  /** Public keys with their signatures, hex. */
  readonly signatures: readonly { readonly publicKey: string; readonly signature: string }[]
}

/** The bytes that are signed. */
export const simBytes = (transfer: SimTransfer): Uint8Array => {
  const { network, account, from, to, tag = null, currency, amount, memo, fee, sequence, validUntil } = transfer
  const { sweep, permit, call, revokes } = transfer
  const own = sweep === undefined ? [] : [sweep.orderId, sweep.depositor, ...sweep.currencies]
  const signed =
    permit === undefined ? [] : [permit.orderId, permit.owner, permit.expiresAt, permit.signature, call ?? false]
  const revoked = revokes === undefined ? [] : [permitKey(revokes)]
  const fields = [
    ...[network, account, from, to, tag, currency, amount, memo, fee, sequence, validUntil],
    ...[...own, ...signed, ...revoked],
  ]
  return new TextEncoder().encode(JSON.stringify(fields))
}

export const simId = (transfer: SimTransfer): string => createHash('sha256').update(simBytes(transfer)).digest('hex')

/** What is submitted: the transfer with its signatures, as hex. */
export const simRaw = (signed: SignedSimTransfer): `0x${string}` =>
  `0x${Buffer.from(JSON.stringify(signed)).toString('hex')}`

/** Signed by keys of the simulation. */
export const signTransfer = (transfer: SimTransfer, keys: readonly SimKey[]): `0x${string}` => {
  const message = simBytes(transfer)
  return simRaw({
    transfer,
    signatures: keys.map((key) => ({ publicKey: key.publicKey, signature: key.sign(message) })),
  })
}

/** The transfer that was submitted, once all who must have signed it. Throws an Error whose message is a code. */
export const readRaw = (raw: string, network: string): SimTransfer => {
  const { transfer, signatures } = parse(raw)
  if (transfer.network !== network) throw new Error('MALFORMED')
  const message = simBytes(transfer)
  const signed = signatures.flatMap(({ publicKey, signature }) =>
    isSigned(message, publicKey, signature) ? [addressOfKey(Buffer.from(publicKey, 'hex'))] : [],
  )
  if (!signersOf(transfer).every((address) => signed.includes(address))) throw new Error('BAD_SIGNATURE')
  return transfer
}

/** A deposit address has no key: its terms are enough; and whoever signed a permit need not sign again. */
const signersOf = (transfer: SimTransfer): readonly string[] => {
  const { account, from, sweep } = transfer
  const isFree = sweep === undefined ? isByPermit(transfer) : addressOfTerms(sweep) === from
  return isFree ? [account] : [from, account]
}

const isByPermit = ({ permit, network, from, currency, amount, memo }: SimTransfer): boolean =>
  permit !== undefined &&
  permit.owner === from &&
  permit.currency === currency &&
  permit.amount === amount &&
  memo === `${permit.orderId} origin` &&
  isPermitSigned(network, permit)

const parse = (raw: string): SignedSimTransfer => {
  try {
    // CAST: whatever is missing fails the check of the signatures.
    const signed = JSON.parse(Buffer.from(raw.slice(2), 'hex').toString('utf8')) as SignedSimTransfer
    const { amount, fee, sequence } = signed.transfer
    if (BigInt(amount) <= 0n || BigInt(fee) <= 0n || !Number.isSafeInteger(sequence)) throw new Error('no transfer')
    return signed
  } catch {
    throw new Error('MALFORMED')
  }
}
