import type { proto } from '@hiero-ledger/proto'
import { type Account, accountIn, accountOfAlias, relationIn, type State, tokenIn } from './state/entries.js'
import { accountIdOf, int64, tokenIdOf } from './values.js'

/** Account that has all HBAR at the beginning. */
export const TREASURY = '0.0.2'

const NATIVE = /^(0\.0\.0|0x0{40})$/
const EVM_ADDRESS = /^(?:0x|0\.0\.)([0-9a-f]{40})$/i

/** An account of a text: `0.0.<number>`, or an EVM address. @throws Error for another text */
export const accountIdIn = (state: State, text: string): proto.IAccountID => {
  const address = EVM_ADDRESS.exec(text)?.[1]?.toLowerCase()
  if (address === undefined) {
    if (/^0\.0\.\d+$/.test(text)) return accountIdOf(text)
    throw new Error(`${text} is not an account of this network`)
  }
  const id = accountOfAlias(state, address)
  return id === null ? { alias: Buffer.from(address, 'hex') } : accountIdOf(id)
}

const amountsOf = (from: string, to: proto.IAccountID, amount: bigint): proto.IAccountAmount[] => [
  { accountID: accountIdOf(from), amount: int64(-amount) },
  { accountID: to, amount: int64(amount) },
]

/** Transactions that give an account tinybars or units of a token, with which it is associated. @throws Error for an unknown token */
export const fundingBodies = (
  state: State,
  to: proto.IAccountID,
  amount: bigint,
  currency = '0.0.0',
): readonly proto.ITransactionBody[] => {
  if (NATIVE.test(currency)) {
    return [{ cryptoTransfer: { transfers: { accountAmounts: amountsOf(TREASURY, to, amount) } } }]
  }
  const made = tokenIn(state, currency)
  if (made === null) throw new Error(`${currency} is not a token of this network`)
  const token = tokenIdOf(currency)
  const account = to.alias ? null : accountIn(state, `0.0.${to.accountNum}`)
  return [
    ...(account !== null && needsAssociation(state, account, currency)
      ? [{ tokenAssociate: { account: to, tokens: [token] } }]
      : []),
    { tokenMint: { token, amount: int64(amount) } },
    { cryptoTransfer: { tokenTransfers: [{ token, transfers: amountsOf(made.treasury, to, amount) }] } },
  ]
}

const needsAssociation = (state: State, { id, slots, usedSlots }: Account, token: string): boolean =>
  relationIn(state, id, token) === null && slots >= 0 && usedSlots >= slots
