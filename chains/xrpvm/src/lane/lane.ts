import { larger, ServiceError, smaller } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt } from '@causeway/core/chain'
import {
  type AccountPayments,
  askNode,
  broadcastInOrder,
  type DraftedPayment,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type JsonRpcNode,
  PayingAccounts,
  RpcResponseError,
  type SequenceChain,
  type StrictOrder,
} from '@causeway/core/chain-kit'
import { accountOfKey } from '../address/addresses.js'
import type { XrpSettings } from '../options.js'
import { type FeeSource, feeToOffer, outbidding } from '../payout/feeLevels.js'
import { type PaymentForm, paymentForm } from '../payout/paymentForm.js'
import type { SweepForms } from '../payout/sweepForms.js'
import type { TransferRates } from '../payout/transferRates.js'
import { askTransactions, SUBMIT } from '../rpc/xrpNode.js'
import { askMoment, askNumbers, listSent } from './accountReading.js'
import { broadcastResultOf } from './engineResults.js'
import {
  type NumberedTransaction,
  nothingInstead,
  numbered,
  readNumbered,
  transactionJson,
} from './numberedTransaction.js'
import { sentOf } from './sentTransaction.js'
import { signTransaction } from './signTransaction.js'

/** Numbers in order that may wait for each other: servers queue ten transactions of an account. Tickets wait for none. */
const MOST_OPEN = 10
/** A lower lifetime may have been configured since: earlier payments lived as long as payments do by default. */
const USUAL_LIFETIME = 20n

export interface XrpPaymentsDeps {
  readonly rpc: JsonRpcClient
  readonly fees: FeeSource
  readonly rates: TransferRates
  readonly settings: Pick<XrpSettings, 'depository' | 'networkId' | 'maxFeeDrops' | 'lifetimeLedgers'>
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

/**
 * Payments of the solver by the numbers of its account, its tickets first, and of the depository and the account of deposit addresses by
 * theirs (chains.md xrpvm 5). Only validated ledgers count, so a pending transaction is not listed: after a database failed over the lane
 * waits until all that it may have lost has expired (faults.md F121).
 */
export const xrpPayments = (deps: XrpPaymentsDeps): AccountPayments<JsonRpcEndpoint> => {
  const { rpc, settings, sweeps } = deps
  const { depository, lifetimeLedgers: lifetime } = settings
  const addressOf: SequenceChain<JsonRpcEndpoint>['addressOf'] = ({ publicKey }) => accountOfKey(publicKey)
  const accounts = new PayingAccounts({ depository, deposits: sweeps, addressOf })
  const isAside = ({ transaction }: SignedAttempt) => readNumbered(transaction).TicketSequence !== undefined
  return {
    chain: {
      ...{ addressOf, others: accounts.others, accountOf: (payout) => accounts.accountOf(payout) },
      ...readingOf(settings, accounts),
      draft: draftOf(deps, accounts),
      sign: async (transaction, signer, allocator, seed) => {
        const unsigned = readNumbered(transaction)
        return signTransaction(unsigned, accounts.keyOf(unsigned.Account, { signer, allocator, seed }))
      },
      broadcast: (attempts) => broadcastInOrder(rpc.pool, attempts, { send: submit, isAside }),
    },
    order: { kind: 'strict', mostOpen: MOST_OPEN, ...outbiddingOf(deps) },
    lifetime,
    longestLifetime: larger(lifetime, USUAL_LIFETIME),
    cosigns: true,
    moment: async (node) => (await askMoment(node)).moment,
  }
}

type Reading = Pick<SequenceChain<JsonRpcEndpoint>, 'read' | 'list'>

const readingOf = ({ networkId }: Pick<XrpSettings, 'networkId'>, accounts: PayingAccounts): Reading => ({
  /**
   * The account is asked in the very ledger that the moment names; transactions may be newer. A server that does not show one is asked once
   * more which ledgers it has, so that it had them all along.
   */
  read: async (node, { account, attempts }) => {
    const { moment, history } = await askMoment(node)
    const ids = attempts.map(({ txId }) => txId)
    const [numbers, found] = await Promise.all([askNumbers(node, account, moment.height), askTransactions(node, ids)])
    const transactions = found.map((one) => one && sentOf(one, accounts.roleOf(one.signed.Account)))
    const since = transactions.includes(null) ? larger(history, (await askMoment(node)).history) : history
    return { moment, history: since, transactions, ...numbers }
  },
  list: (node, account, since) => {
    const role = accounts.roleOf(account)
    return listSent(node, { account, since: since ?? { height: 0n }, networkId, sentOf: (one) => sentOf(one, role) })
  },
})

const draftOf = (
  { fees, rates, settings: { maxFeeDrops, networkId }, sweeps }: XrpPaymentsDeps,
  accounts: PayingAccounts,
): SequenceChain<JsonRpcEndpoint>['draft'] => {
  const formOf = async (payout: Payout): Promise<PaymentForm | null> => {
    if (payout.purpose !== 'sweep') {
      const rate = await rates.rate(payout.money.currency)
      return paymentForm(payout, { account: accounts.accountOf(payout), rate })
    }
    if (sweeps === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
    return sweeps.form(payout)
  }
  return async (items) => {
    const [levels, forms] = await Promise.all([fees.levels(), Promise.all(items.map(({ payout }) => formOf(payout)))])
    return items.map(({ payout }, at) => {
      const form = forms[at] ?? null
      // Null where the network takes more now than may be paid (faults.md F124).
      const fee = feeToOffer(levels, smaller(payout.feeLimit ?? maxFeeDrops, maxFeeDrops))
      if (form === null || fee === null) return null
      return (slot) => {
        if (payout.purpose === 'sweep') sweeps?.begun(payout, slot)
        return drafted(numbered(form, slot, { fee, networkId }), fee)
      }
    })
  }
}

/** The same number at a higher fee; null above the most that one transaction may cost. */
const outbiddingOf = ({ fees, settings }: XrpPaymentsDeps): Required<Pick<StrictOrder, 'replace' | 'cancel'>> => {
  const outbid = async (old: NumberedTransaction, at: (fee: bigint) => NumberedTransaction) => {
    const fee = outbidding(BigInt(old.Fee), await fees.levels(), settings.maxFeeDrops)
    return fee === null ? null : drafted(at(fee), fee)
  }
  return {
    replace: (transaction) => {
      const old = readNumbered(transaction)
      return outbid(old, (fee) => ({ ...old, Fee: fee.toString() }))
    },
    // Only the number is known of a payment whose bytes are not here.
    cancel: async (_slot, { instead }) => {
      if (instead === null) return null
      const old = readNumbered(instead)
      return outbid(old, (fee) => nothingInstead(old, fee))
    },
  }
}

const drafted = (transaction: NumberedTransaction, feeCap: bigint): DraftedPayment => ({
  transaction: transactionJson(transaction),
  feeCap,
})

/** Sends the bytes of one transaction to one server. */
const submit = async (node: JsonRpcNode, { raw }: SignedAttempt, signal: AbortSignal): Promise<BroadcastResult> => {
  const asked = { batch: (calls: Parameters<JsonRpcNode['batch']>[0]) => node.batch(calls, signal) }
  try {
    return broadcastResultOf((await askNode(asked, SUBMIT, { tx_blob: raw.slice(2).toUpperCase() })).engine_result)
  } catch (error) {
    if (!(error instanceof RpcResponseError)) throw error
    // It was not even tried: the server is busy, or has lost its network.
    return { outcome: 'unknown', message: `A server did not take the payment (${error.error.message}).` }
  }
}
