import { CallError } from '@causeway/core/testing'
import type { Message, ShardAccount, Transaction } from '@ton/core'
import { liteserverError, type TonView } from '../tonView.js'
import { blockIdJson, type Method } from './blockMethods.js'
import type { Params } from './params.js'
import { transactionJson } from './transactionJson.js'

const MOST_LISTED = 100

/** State of an account as toncenter names it. */
export const stateName = ({ account }: ShardAccount): 'active' | 'frozen' | 'uninitialized' => {
  const type = account?.storage.state.type
  return type === 'active' || type === 'frozen' ? type : 'uninitialized'
}

const stateJson = (node: TonView, params: Params) => {
  const seqno = params.number('seqno') ?? node.head.height
  const found = node.account(params.address('address'), seqno)
  const state = found.account?.storage.state
  const init = state?.type === 'active' ? state.state : null
  const lastHash = found.lastTransactionHash.toString(16).padStart(64, '0')
  return {
    '@type': 'raw.fullAccountState',
    balance: String(found.account?.storage.balance.coins ?? 0n),
    extra_currencies: [],
    code: init?.code?.toBoc().toString('base64') ?? '',
    data: init?.data?.toBoc().toString('base64') ?? '',
    last_transaction_id: {
      '@type': 'internal.transactionId',
      lt: String(found.lastTransactionLt),
      hash: Buffer.from(lastHash, 'hex').toString('base64'),
    },
    block_id: blockIdJson(node.nameOf(node.block(seqno))),
    frozen_hash: state?.type === 'frozen' ? state.stateHash.toString(16).padStart(64, '0') : '',
    sync_utime: node.block(seqno).time,
    state: stateName(found),
  }
}

const listed = (node: TonView, params: Params) => {
  const asked = params.number('limit') ?? 10
  if (asked < 1 || asked > MOST_LISTED) throw new CallError(422, 'Validation error: limit is from 1 to 100')
  const [lt, hash] = [params.integer('lt'), params.hash('hash')]
  if ((lt === undefined) !== (hash === undefined)) throw new CallError(422, 'Validation error: lt needs hash')
  const limit = node.view.limit(asked, MOST_LISTED)
  return node.transactions(params.address('address'), { lt, hash, toLt: params.integer('to_lt'), limit })
}

/** The transaction that received or sent the message of two addresses with a logical time. @throws CallError if the node does not have it */
const located = (node: TonView, params: Params, side: 'received' | 'sent') => {
  const [source, destination] = [params.address('source'), params.address('destination')]
  const createdLt = params.required('created_lt')
  const isWanted = ({ info }: Message): boolean =>
    info.type === 'internal' && info.src.equals(source) && info.dest.equals(destination) && info.createdLt === createdLt
  const messagesOf = ({ inMessage, outMessages }: Transaction): readonly Message[] => {
    if (side === 'sent') return outMessages.values()
    return inMessage ? [inMessage] : []
  }
  const account = side === 'sent' ? source : destination
  const found = node.find(account, ({ parsed }) => messagesOf(parsed).some(isWanted))
  if (found === null) throw liteserverError('cannot locate transaction of message: message not found')
  return transactionJson(found.tx)
}

export const accountMethods = (node: TonView): Readonly<Record<string, Method>> => ({
  getAddressInformation: (params) => stateJson(node, params),
  getAddressBalance: (params) => stateJson(node, params).balance,
  getAddressState: (params) => stateJson(node, params).state,
  getTransactions: (params) => listed(node, params).map(({ tx }) => transactionJson(tx)),
  tryLocateTx: (params) => located(node, params, 'received'),
  tryLocateResultTx: (params) => located(node, params, 'received'),
  tryLocateSourceTx: (params) => located(node, params, 'sent'),
})
