import { proto } from '@hiero-ledger/proto'
import type { HederaNetwork } from '../engine/hederaNetwork.js'
import { readTransaction } from '../engine/readTransaction.js'
import { need, Refusal } from '../engine/refusal.js'
import { QUERY, tinybarsOf } from '../engine/rules/fees.js'
import { type Account, accountIn, relationsOf, tokenIn } from '../engine/state/entries.js'
import { namedAccount } from '../engine/transactions/aliases.js'
import { accountIdOf, bigintOf, type Code, idText, int64, tokenIdOf } from '../engine/values.js'
import { answerReceipt, answerRecord } from './receipts.js'
import { systemFile } from './systemFiles.js'

type Answer = Record<string, unknown>

const heldBy = ({ open }: HederaNetwork, id: proto.IAccountID | null | undefined): Account => {
  const account = accountIn(open, namedAccount(open, id) ?? '')
  need(account !== null, 'INVALID_ACCOUNT_ID')
  need(!account.deleted, 'ACCOUNT_DELETED')
  return account
}

const balanceOf = (network: HederaNetwork, id: proto.IAccountID | null | undefined): Answer => {
  const { id: account, balance } = heldBy(network, id)
  const tokenBalances = relationsOf(network.open, account).map(({ token, balance: held }) => ({
    ...{ tokenId: tokenIdOf(token), balance: int64(held), decimals: tokenIn(network.open, token)?.made.decimals ?? 0 },
  }))
  return { accountID: accountIdOf(account), balance: int64(balance), tokenBalances }
}

const infoOf = (network: HederaNetwork, id: proto.IAccountID | null | undefined): Answer => {
  const { key, alias, balance, slots, ...account } = heldBy(network, id)
  const accountInfo = {
    ...{ accountID: accountIdOf(account.id), key: key ?? { keyList: {} }, balance: int64(balance), memo: account.memo },
    ...{ ledgerId: network.ledgerId, autoRenewPeriod: { seconds: int64(7_776_000) } },
    // Accounts of the local network do not expire.
    expirationTime: { seconds: int64(4_000_000_000) },
    ...{ contractAccountID: alias ?? '', maxAutomaticTokenAssociations: slots },
    ...{ receiverSigRequired: account.needsReceiverSignature, alias: Buffer.from(alias ?? '', 'hex') },
  }
  return { accountInfo }
}

const fileOf = (network: HederaNetwork, id: proto.IFileID | null | undefined): Answer => {
  const contents = systemFile(network, idText(id?.fileNum))
  need(contents !== null, 'INVALID_FILE_ID')
  return { fileContents: { fileID: id, contents } }
}

type AnswerTo = (network: HederaNetwork, query: proto.IQuery) => Answer

/** Queries by the name that they have in `Query` and in `Response`. */
const QUERIES = {
  transactionGetReceipt: (network, query) => ({ ...answerReceipt(network, query.transactionGetReceipt ?? {}) }),
  transactionGetRecord: (network, query) => ({ ...answerRecord(network, query.transactionGetRecord ?? {}) }),
  cryptogetAccountBalance: (network, query) => balanceOf(network, query.cryptogetAccountBalance?.accountID),
  cryptoGetInfo: (network, query) => infoOf(network, query.cryptoGetInfo?.accountID),
  fileGetContents: (network, query) => fileOf(network, query.fileGetContents?.fileID),
} satisfies Readonly<Record<string, AnswerTo>>

/** Queries that cost no payment to the node. */
const FREE = new Set(['transactionGetReceipt', 'cryptogetAccountBalance'])
type QueryName = keyof typeof QUERIES

/** Takes the payment of a query, a transfer to the node. @throws Refusal */
const takePayment = (network: HederaNetwork, node: string, bytes: Uint8Array, cost: bigint): void => {
  const { cryptoTransfer } = readTransaction(bytes).body
  const amounts = cryptoTransfer?.transfers?.accountAmounts ?? []
  const paid = amounts.find(({ accountID }) => idText(accountID?.accountNum) === node)
  need(paid !== undefined, 'INVALID_RECEIVING_NODE_ACCOUNT')
  need(bigintOf(paid.amount) >= cost, 'INSUFFICIENT_TX_FEE')
  const code = network.submit(bytes, node)
  if (code !== 'OK') throw new Refusal(code)
}

/** Answers the bytes of a query to the node of an account. */
export const answerQuery = (network: HederaNetwork, node: string, bytes: Uint8Array, fault?: Code): Uint8Array => {
  const query = proto.Query.decode(bytes)
  const name = Object.keys(QUERIES).find((one) => query[one as QueryName]) as QueryName | undefined
  if (name === undefined) throw new Error('The local network does not know this query')
  const { payment, responseType = 0 } = query[name]?.header ?? {}
  const answer: AnswerTo = QUERIES[name]
  const paid = !FREE.has(name)
  const isForCost = responseType === proto.ResponseType.COST_ANSWER
  const cost = paid ? tinybarsOf(QUERY, network.settings.rate) : 0n
  const header = (code: Code) => ({
    ...{ nodeTransactionPrecheckCode: proto.ResponseCodeEnum[code], responseType, cost: int64(cost) },
  })
  const encoded = (response: Answer) => proto.Response.encode({ [name]: response }).finish()
  try {
    if (fault !== undefined) throw new Refusal(fault)
    if (isForCost) return encoded({ header: header('OK') })
    if (paid) takePayment(network, node, proto.Transaction.encode(payment ?? {}).finish(), cost)
    return encoded({ ...answer(network, query), header: header('OK') })
  } catch (error) {
    if (error instanceof Refusal) return encoded({ header: header(error.code) })
    throw error
  }
}
