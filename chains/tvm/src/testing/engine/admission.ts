import { signerOf } from '../wire/addresses.js'
import { type SignedTransaction, sizeOf } from '../wire/transactions.js'
import { ownerOf } from './execute.js'
import { need } from './refusal.js'
import type { TronBlocks } from './tronBlocks.js'

const MOST_BYTES = 500 * 1024
const MOST_EXPIRATION_MS = 24 * 3600 * 1000
/** Blocks that a transaction can refer to. */
const RECENT_BLOCKS = 65_536

/** @throws Refusal unless the owner's key signed the transaction */
export const checkSignature = (tx: SignedTransaction): void => {
  const [signature, ...others] = tx.signatures
  const owner = ownerOf(tx)
  need(signature !== undefined, 'SIGERROR', 'Validate signature error: miss sig or contract')
  need(
    others.length === 0,
    'SIGERROR',
    'Validate signature error: Signature count is 2 more than key counts of permission : 1',
  )
  const signer = signerOf(tx.id, signature)
  const reason = `Validate signature error: ${signature} is signed by ${signer} but it is not contained of permission.`
  need(signer === owner, 'SIGERROR', reason)
}

/** Height of the block that a transaction refers to; null: no recent block ends its height so. */
const referredHeight = (refBlockBytes: string, head: number): number | null => {
  const last = Number.parseInt(refBlockBytes, 16)
  if (!/^[0-9a-f]{4}$/i.test(refBlockBytes)) return null
  const height = head - ((((head - last) % RECENT_BLOCKS) + RECENT_BLOCKS) % RECENT_BLOCKS)
  return height < 0 ? null : height
}

/** Rules of time and place, at the newest block. @throws Refusal */
export const checkTimes = ({ raw, ...tx }: SignedTransaction, blocks: TronBlocks): void => {
  const { head } = blocks
  const height = referredHeight(raw.refBlockBytes, head.height)
  const referred = height === null ? undefined : blocks.block(height)
  const isKnown = referred?.hash.slice(16, 32) === raw.refBlockHash.toLowerCase()
  need(isKnown, 'TAPOS_ERROR', 'Tapos check error.')
  need(sizeOf({ raw, ...tx }) <= MOST_BYTES, 'TOO_BIG_TRANSACTION_ERROR', 'Transaction size is too big.')
  const headMs = head.time * 1000
  const isLate = raw.expiration <= headMs || raw.expiration > headMs + MOST_EXPIRATION_MS
  const reason = `Transaction expiration, transaction expiration time is ${raw.expiration}, but headBlockTime is ${headMs}`
  need(!isLate, 'TRANSACTION_EXPIRATION_ERROR', isLate ? reason : '')
}
