import { proto } from '@hiero-ledger/proto'
import { Refusal } from '../refusal.js'
import { MADE_BY_TRANSFER } from '../rules/fees.js'
import { evmAddressOf } from '../rules/signatures.js'
import { accountOfAlias, putNewAccount, type State } from '../state/entries.js'
import { hexOf, idText } from '../values.js'
import type { Context } from './context.js'

const EVM_ADDRESS_BYTES = 20

interface NamedAlias {
  /** In hex without 0x. */
  readonly address: string
  /** Null: a hollow account. */
  readonly key: proto.IKey | null
}

/** An EVM address, or an ECDSA key in a protobuf. @throws Refusal for another alias */
export const readAlias = (alias: Uint8Array): NamedAlias => {
  if (alias.length === EVM_ADDRESS_BYTES) return { address: hexOf(alias), key: null }
  try {
    const key = proto.Key.decode(alias)
    return { address: evmAddressOf(key.ECDSASecp256k1 ?? new Uint8Array()), key }
  } catch {
    throw new Refusal('INVALID_ALIAS_KEY')
  }
}

/** The account that an id names by its number or alias; null for an alias without an account. */
export const namedAccount = (state: State, id: proto.IAccountID | null | undefined): string | null =>
  id?.alias?.length ? accountOfAlias(state, readAlias(id.alias).address) : idText(id?.accountNum)

/** Makes the account of an alias that a transfer pays. Returns its id. */
export const createByTransfer = (context: Context, alias: Uint8Array): string => {
  const { address, key } = readAlias(alias)
  const id = context.parts.nextId()
  // Unlimited automatic associations (HIP-904).
  const slots = -1
  const memo = key === null ? 'lazy-created account' : 'auto-created account'
  putNewAccount(context.state, { id, key, alias: address, slots, memo, createdAt: context.parts.now })
  context.parts.charge(MADE_BY_TRANSFER)
  const body = {
    cryptoCreateAccount: { ...(key === null ? {} : { key }), alias, memo, maxAutomaticTokenAssociations: slots },
  }
  context.children.push({ kind: 'cryptoCreateAccount', body, made: { account: id } })
  return id
}
