import { createHash } from 'node:crypto'
import type { Hex } from '@causeway/core'
import type { DepositAddressTerms } from '@causeway/core/chain'
import { addressOf } from '../../../adapter/ledgerChain/src/address.js'

/** What a sweep says of itself: the terms that its address is made of, and what it takes along. */
export type SimSweep = {
  readonly orderId: Hex
  readonly depositor: string
  readonly currencies: readonly string[]
}

/** The deposit address of these terms, on every ledger the same; a contract's, which nobody has a key of. */
export const addressOfTerms = ({ orderId, depositor }: DepositAddressTerms): string =>
  addressOf(createHash('sha256').update(`deposit address ${orderId} ${depositor}`).digest('hex').slice(0, 40))
