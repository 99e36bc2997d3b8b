import type { RestRoutes } from '@causeway/core/testing'
import { base32nopad } from '@scure/base'
import { type Account, accountIn, accountsOf, type Relation, relationsOf, tokenIn } from '../../engine/state/entries.js'
import { numberOf, timeText } from '../../engine/values.js'
import { NOT_FOUND } from './mirrorPages.js'
import { transactionPage } from './mirrorTransactions.js'
import { keyJson } from './mirrorValues.js'
import type { MirrorView } from './mirrorView.js'

const byNumber = (a: { readonly id: string }, b: { readonly id: string }): number =>
  numberOf(a.id) < numberOf(b.id) ? -1 : 1

const byToken = (a: Relation, b: Relation): number => (numberOf(a.token) < numberOf(b.token) ? -1 : 1)

const tokenBalances = ({ state }: MirrorView, account: string) =>
  [...relationsOf(state, account)].sort(byToken).map(({ token, balance }) => ({ token_id: token, balance }))

const evmAddress = ({ alias, id }: Account): string => `0x${alias ?? numberOf(id).toString(16).padStart(40, '0')}`

const accountJson = (mirror: MirrorView, account: Account) => ({
  account: account.id,
  alias: account.alias === null ? null : base32nopad.encode(Buffer.from(account.alias, 'hex')),
  balance: { balance: account.balance, timestamp: mirror.time, tokens: tokenBalances(mirror, account.id) },
  created_timestamp: timeText(account.createdAt),
  ...{ deleted: account.deleted, evm_address: evmAddress(account), key: keyJson(account.key), memo: account.memo },
  max_automatic_token_associations: account.slots,
  receiver_sig_required: account.needsReceiverSignature,
  ...{ auto_renew_period: 7_776_000, expiry_timestamp: null, ethereum_nonce: 0, decline_reward: false },
  ...{ pending_reward: 0, staked_account_id: null, staked_node_id: null, stake_period_start: null },
})

/** @throws CallError */
const accountAt = (mirror: MirrorView, text: string): Account => {
  const account = accountIn(mirror.state, mirror.accountId(text) ?? '')
  if (account === null) throw NOT_FOUND
  return account
}

const relationJson = ({ state }: MirrorView, relation: Relation) => {
  const made = tokenIn(state, relation.token)?.made
  return {
    automatic_association: relation.automatic,
    balance: relation.balance,
    created_timestamp: timeText(relation.createdAt),
    decimals: made?.decimals ?? 0,
    freeze_status: made?.freezeKey ? (relation.frozen ? 'FROZEN' : 'UNFROZEN') : 'NOT_APPLICABLE',
    kyc_status: made?.kycKey ? (relation.approved ? 'GRANTED' : 'REVOKED') : 'NOT_APPLICABLE',
    token_id: relation.token,
  }
}

export const accountRoutes = (mirror: MirrorView): RestRoutes => ({
  'GET /api/v1/accounts': (_, call) => {
    const all = [...accountsOf(mirror.state)].sort(byNumber)
    const placeOf = ({ id }: Account) => numberOf(id)
    const { items, links } = mirror.page(call, '/api/v1/accounts', { all, placeOf, name: 'account.id' })
    return { accounts: items.map((account) => accountJson(mirror, account)), links }
  },
  'GET /api/v1/accounts/:id': ([id = ''], { query, body }) => {
    const account = accountAt(mirror, id)
    const found = accountJson(mirror, account)
    if (query.get('transactions') === 'false') return { ...found, transactions: [], links: { next: null } }
    const asked = new URLSearchParams(query)
    asked.set('account.id', account.id)
    return { ...found, ...transactionPage(mirror, { query: asked, body }) }
  },
  'GET /api/v1/accounts/:id/tokens': ([id = ''], call) => {
    const account = accountAt(mirror, id)
    const all = [...relationsOf(mirror.state, account.id)].sort(byToken)
    const placeOf = ({ token }: Relation) => numberOf(token)
    const path = `/api/v1/accounts/${id}/tokens`
    const { items, links } = mirror.page(call, path, { all, placeOf, name: 'token.id' })
    return { tokens: items.map((relation) => relationJson(mirror, relation)), links }
  },
  'GET /api/v1/balances': (_, call) => {
    const all = [...accountsOf(mirror.state)].sort(byNumber)
    const placeOf = ({ id }: Account) => numberOf(id)
    const { items, links } = mirror.page(call, '/api/v1/balances', { all, placeOf, name: 'account.id', order: 'desc' })
    const balances = items.map(({ id, balance }) => ({ account: id, balance, tokens: tokenBalances(mirror, id) }))
    return { timestamp: mirror.time, balances, links }
  },
})
