import type { proto } from '@hiero-ledger/proto'
import { need } from '../refusal.js'
import { MADE_BY_TRANSFER } from '../rules/fees.js'
import { accountOfAlias, putNewAccount, type State } from '../state/entries.js'
import { hexOf, idText } from '../values.js'
import type { Context } from './context.js'

const EVM_ADDRESS_BYTES = 20

/** EVM address of an alias, in hex without 0x. @throws Refusal for the alias of a public key (chains.md hederavm 1) */
const readAlias = (alias: Uint8Array): string => {
  need(alias.length === EVM_ADDRESS_BYTES, 'INVALID_ALIAS_KEY')
  return hexOf(alias)
}

/** The account that an id names by its number or alias; null for an alias without an account. */
export const namedAccount = (state: State, id: proto.IAccountID | null | undefined): string | null =>
  id?.alias?.length ? accountOfAlias(state, readAlias(id.alias)) : idText(id?.accountNum)

/** Makes the hollow account of an alias that a transfer pays. Returns its id. */
export const createByTransfer = (context: Context, alias: Uint8Array): string => {
  const id = context.parts.nextId()
  // Unlimited automatic associations (HIP-904).
  const [slots, memo] = [-1, 'lazy-created account']
  putNewAccount(context.state, { id, alias: readAlias(alias), slots, memo, createdAt: context.parts.now })
  context.parts.charge(MADE_BY_TRANSFER)
  const body = { cryptoCreateAccount: { alias, memo, maxAutomaticTokenAssociations: slots } }
  context.children.push({ kind: 'cryptoCreateAccount', body, made: { account: id } })
  return id
}
