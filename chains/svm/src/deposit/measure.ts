import { ServiceError } from '@causeway/core'
import type { AddressLookupTableAccount, PublicKey, TransactionInstruction } from '@solana/web3.js'

/** Most bytes of a transaction, signatures included (chains.md svm 10). */
export const MAX_TRANSACTION_BYTES = 1232

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
const HASH_BYTES = 32
/** Version and the three counts at the beginning. */
const HEAD_BYTES = 4

interface KeyUse {
  signs: boolean
  writes: boolean
  runs: boolean
}

/**
 * Bytes of a version 0 transaction of these instructions with every signature in place. Counted, not serialised: what is
 * too large cannot be serialised.
 */
export const measureTransaction = (
  instructions: readonly TransactionInstruction[],
  payer: PublicKey,
  tables: readonly AddressLookupTableAccount[] = [],
): number => {
  const uses = collectUses(instructions, payer)
  const signatures = [...uses.values()].filter(({ signs }) => signs).length
  let lookups = 0
  let lookupBytes = 0
  for (const table of tables) {
    const addresses = new Set(table.state.addresses.map((address) => address.toBase58()))
    const drained = [...uses].filter(([key, use]) => !use.signs && !use.runs && addresses.has(key))
    if (drained.length === 0) continue
    for (const [key] of drained) uses.delete(key)
    const writable = drained.filter(([, { writes }]) => writes).length
    lookups += 1
    lookupBytes += KEY_BYTES + listBytes(writable, 1) + listBytes(drained.length - writable, 1)
  }
  const instructionBytes = instructions.reduce(
    (sum, { keys, data }) => sum + 1 + listBytes(keys.length, 1) + listBytes(data.length, 1),
    0,
  )
  return (
    listBytes(signatures, SIGNATURE_BYTES) +
    HEAD_BYTES +
    listBytes(uses.size, KEY_BYTES) +
    HASH_BYTES +
    listBytes(instructions.length, 0) +
    instructionBytes +
    listBytes(lookups, 0) +
    lookupBytes
  )
}

/**
 * wire.md 1.1 6: the message reports the measured size and the excess, and what keeps the size down.
 * @throws ServiceError SOLANA_TX_TOO_LARGE
 */
export const refuseTooLarge = (...transaction: Parameters<typeof measureTransaction>): void => {
  const size = measureTransaction(...transaction)
  const excess = size - MAX_TRANSACTION_BYTES
  if (excess <= 0) return
  throw new ServiceError(
    'SOLANA_TX_TOO_LARGE',
    `The deposit transaction has ${size} bytes, ${excess} more than the ${MAX_TRANSACTION_BYTES} that Solana allows. A lower maxRouteLength or fewer includedOriginSwapSources make it smaller.`,
    { data: { errorData: { size, limit: MAX_TRANSACTION_BYTES, excess } } },
  )
}

/** How many signatures such a transaction has. */
export const countSignatures = (instructions: readonly TransactionInstruction[], payer: PublicKey): number =>
  [...collectUses(instructions, payer).values()].filter(({ signs }) => signs).length

const collectUses = (instructions: readonly TransactionInstruction[], payer: PublicKey): Map<string, KeyUse> => {
  const uses = new Map<string, KeyUse>()
  const use = (key: PublicKey): KeyUse => {
    const text = key.toBase58()
    const known = uses.get(text) ?? { signs: false, writes: false, runs: false }
    uses.set(text, known)
    return known
  }
  Object.assign(use(payer), { signs: true, writes: true })
  for (const { programId, keys } of instructions) {
    use(programId).runs = true
    for (const { pubkey, isSigner, isWritable } of keys) {
      const known = use(pubkey)
      known.signs ||= isSigner
      known.writes ||= isWritable
    }
  }
  return uses
}

/** A list of items of equal size: its length in groups of seven bits, then the items. */
const listBytes = (length: number, itemBytes: number): number => {
  let bytes = 1
  for (let rest = length >> 7; rest > 0; rest >>= 7) bytes += 1
  return bytes + length * itemBytes
}
