import { proto } from '@hiero-ledger/proto'
import type { HederaNetwork } from '../engine/hederaNetwork.js'
import type { LedgerTx, Transfer } from '../engine/ledgerTx.js'
import { need } from '../engine/refusal.js'
import { accountIdOf, type Code, int64, numberOf, timestampOf, tokenIdOf, transactionIdText } from '../engine/values.js'
import { exchangeRates } from './systemFiles.js'

/** Null: the transaction waits for consensus. @throws Refusal if no node knows the id */
const findTransaction = (network: HederaNetwork, id: proto.ITransactionID, missing: Code) => {
  const known = network.known(transactionIdText(id))
  if (known === null) return null
  const ofKind = known.filter(({ scheduled }) => scheduled === (id.scheduled === true))
  const [own, ...duplicates] = ofKind.filter(({ nonce }) => nonce === (id.nonce ?? 0))
  need(own !== undefined, missing)
  return { own, duplicates, children: ofKind.filter(({ nonce, parent }) => nonce > 0 && parent === own.consensus) }
}

const receiptOf = (network: HederaNetwork, { result, made }: LedgerTx): proto.ITransactionReceipt => ({
  ...{ status: proto.ResponseCodeEnum[result], exchangeRate: exchangeRates(network) },
  ...(made.account === undefined ? {} : { accountID: accountIdOf(made.account) }),
  ...(made.token === undefined ? {} : { tokenID: tokenIdOf(made.token) }),
  ...(made.schedule === undefined ? {} : { scheduleID: { scheduleNum: int64(numberOf(made.schedule)) } }),
  ...(made.scheduled === undefined ? {} : { scheduledTransactionID: made.scheduled }),
  ...(made.supply === undefined ? {} : { newTotalSupply: int64(made.supply) }),
})

const amountOf = ({ account, amount, approval }: Transfer): proto.IAccountAmount => ({
  ...{ accountID: accountIdOf(account), amount: int64(amount), isApproval: approval },
})

const recordOf = (network: HederaNetwork, tx: LedgerTx): proto.ITransactionRecord => {
  const { transfers } = tx
  const tokens = [...new Set(transfers.flatMap(({ token }) => token ?? []))]
  const of = (id: string | null) => transfers.filter(({ token }) => token === id).map(amountOf)
  return {
    ...{ receipt: receiptOf(network, tx), transactionHash: tx.hash, consensusTimestamp: timestampOf(tx.consensus) },
    ...{ transactionID: tx.transactionId, memo: tx.body.memo ?? '', transactionFee: int64(tx.fee) },
    transferList: { accountAmounts: of(null) },
    tokenTransferLists: tokens.map((token) => ({ token: tokenIdOf(token), transfers: of(token) })),
    assessedCustomFees: tx.assessed.map(({ amount, token, collector, payers }) => ({
      ...{ amount: int64(amount), feeCollectorAccountId: accountIdOf(collector) },
      ...(token === null ? {} : { tokenId: tokenIdOf(token) }),
      effectivePayerAccountId: payers.map(accountIdOf),
    })),
    ...(tx.parent === null ? {} : { parentConsensusTimestamp: timestampOf(tx.parent) }),
  }
}

/** Answers a query for a receipt; a pending transaction has the status `UNKNOWN`. @throws Refusal */
export const answerReceipt = (
  network: HederaNetwork,
  { transactionID, includeDuplicates, includeChildReceipts }: proto.ITransactionGetReceiptQuery,
): Omit<proto.ITransactionGetReceiptResponse, 'header'> => {
  const found = findTransaction(network, transactionID ?? {}, 'RECEIPT_NOT_FOUND')
  if (found === null) return { receipt: { status: proto.ResponseCodeEnum.UNKNOWN } }
  const all = (txs: readonly LedgerTx[]) => txs.map((tx) => receiptOf(network, tx))
  return {
    receipt: receiptOf(network, found.own),
    duplicateTransactionReceipts: includeDuplicates ? all(found.duplicates) : [],
    childTransactionReceipts: includeChildReceipts ? all(found.children) : [],
  }
}

/** Answers a query for a record. @throws Refusal */
export const answerRecord = (
  network: HederaNetwork,
  { transactionID, includeDuplicates, includeChildRecords }: proto.ITransactionGetRecordQuery,
): Omit<proto.ITransactionGetRecordResponse, 'header'> => {
  const found = findTransaction(network, transactionID ?? {}, 'RECORD_NOT_FOUND')
  need(found !== null, 'RECORD_NOT_FOUND')
  const all = (txs: readonly LedgerTx[]) => txs.map((tx) => recordOf(network, tx))
  return {
    transactionRecord: recordOf(network, found.own),
    duplicateTransactionRecords: includeDuplicates ? all(found.duplicates) : [],
    childTransactionRecords: includeChildRecords ? all(found.children) : [],
  }
}
