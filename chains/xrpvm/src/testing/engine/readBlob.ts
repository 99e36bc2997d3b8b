import { decode, encode, encodeForSigning } from 'ripple-binary-codec'
import { verify } from 'ripple-keypairs'
import { spellAmounts } from './amounts/amount.js'
import { sha512Half } from './state/entryIndex.js'
import type { NamedTx, Tx } from './transaction.js'

const TRANSACTION_PREFIX = Buffer.from('54584E00', 'hex')
const MOST_MEMO_BYTES = 1024

/** Why a blob is no transaction that a server takes in. */
export class UnreadableBlob extends Error {
  constructor(
    readonly error: 'invalidParams' | 'invalidTransaction',
    message: string,
  ) {
    super(message)
  }
}

/** A transaction that nobody may have signed, with its blob and hash. */
export const nameTransaction = (tx: Tx): NamedTx => {
  const blob = encode(tx)
  return { tx, blob, hash: sha512Half(TRANSACTION_PREFIX, Buffer.from(blob, 'hex')) }
}

/** The transaction in a blob, canonical and with the right signature. @throws UnreadableBlob */
export const readBlob = (text: string): NamedTx => {
  const blob = text.toUpperCase()
  const raw = decodeBlob(blob)
  if (encode(raw) !== blob) throw new UnreadableBlob('invalidTransaction', 'The blob is not canonical.')
  checkMemos(raw)
  if (!isSigned(raw)) throw new UnreadableBlob('invalidTransaction', 'fails local checks: Invalid signature.')
  return { tx: spellAmounts(raw), blob, hash: sha512Half(TRANSACTION_PREFIX, Buffer.from(blob, 'hex')) }
}

/** The transaction in a blob that need not be signed. @throws UnreadableBlob */
export const decodeBlob = (blob: string): Tx => {
  try {
    // CAST: what the codec reads has the fields that its format asks for; those of a type are checked where it is applied.
    const tx = decode(blob) as unknown as Tx
    if (typeof tx.TransactionType === 'string' && typeof tx.Account === 'string') return tx
  } catch {
    // Said below.
  }
  throw new UnreadableBlob('invalidParams', 'Invalid parameters.')
}

/** @throws UnreadableBlob when the memos are larger than the ledger takes */
export const checkMemos = ({ Memos }: Tx): void => {
  if (Memos === undefined) return
  const bytes = (encode({ Memos }).length - 4) / 2
  if (bytes <= MOST_MEMO_BYTES) return
  throw new UnreadableBlob('invalidTransaction', 'fails local checks: The memo exceeds the maximum allowed size.')
}

const isSigned = (tx: Tx): boolean => {
  try {
    return verify(encodeForSigning(tx), tx.TxnSignature ?? '', tx.SigningPubKey ?? '')
  } catch {
    return false
  }
}
