import { ServiceError, smaller } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt, Signer } from '@causeway/core/chain'
import {
  type AccountPayments,
  answerOf,
  broadcastInOrder,
  evmAddressOfKey,
  PayingAccounts,
  type RestClient,
  type SequenceChain,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { routeOf } from '../address/assets.js'
import type { LighterSettings } from '../options.js'
import { expiryOf, paymentForm, preparedJson, readPrepared } from '../payout/paymentForm.js'
import type { TransferFees } from '../payout/payoutFees.js'
import { EXPIRY_MARGIN, TRANSFER } from '../read/transactions.js'
import { askNextNonce } from '../rpc/accounts.js'
import { TX_HASH } from '../rpc/fields.js'
import { askedOf, EXPLAINED, type LighterNode, type LighterPool, readAnswer } from '../rpc/lighterNode.js'
import { askTransaction, bareHash } from '../rpc/transactions.js'
import { askMoment, type LaneReadingDeps, laneReading } from './accountReading.js'
import type { ApiKeys } from './apiKeys.js'
import type { LighterSigner } from './lighterSigner.js'
import { broadcastResultOf, isFeeRefusal, isNonceRefusal } from './sendResults.js'
import { signTransfer, textOf } from './signTransfer.js'

/** Numbers that may wait for each other: they are sent in order, and the exchange takes each as soon as the one before is queued. */
const MOST_OPEN = 10
/** A longer lifetime may have been configured before. */
const LONGEST_LIFETIME = 599n
/** Blocks after the first verdict that a payment is dead: a node behind a load balancer may have answered from a copy that is behind. */
const DEATH_MARGIN_BLOCKS = 10

export interface LighterPaymentsDeps extends LaneReadingDeps {
  readonly pool: LighterPool
  readonly settings: Pick<LighterSettings, 'depository' | 'accounts' | 'lifetimeSeconds' | 'maxFeeUsdc'>
  readonly keys: ApiKeys
  readonly signer: LighterSigner
  readonly fees: TransferFees
}

/** Account of a key by its Ethereum address; the Ethereum address itself where the options name no account of it. */
export const accountOfKey =
  ({ accounts }: Pick<LighterSettings, 'accounts'>) =>
  ({ publicKey }: Pick<Signer, 'publicKey'>): string => {
    const owner = evmAddressOfKey(publicKey)
    return accounts.find((entry) => entry.owner === owner)?.account ?? owner
  }

/**
 * Payments of the solver, and withdrawals of the depository, by the numbers of each account's API key (chains.md lvm 5). There is no
 * replacement: a payment is made again once its number is used otherwise, or its expiry is over.
 */
export const lighterPayments = (deps: LighterPaymentsDeps): AccountPayments<LighterNode> => {
  const { settings, keys, signer: apiSigner } = deps
  const { depository, lifetimeSeconds } = settings
  const addressOf = accountOfKey(settings)
  const accounts = new PayingAccounts({ depository, deposits: null, addressOf })
  const lifetime = lifetimeSeconds + EXPIRY_MARGIN
  const reading = laneReading(deps)
  const hashes: SeenHashes = { areOthers: false }
  return {
    chain: {
      ...{ addressOf, others: accounts.others, accountOf: (payout) => accounts.accountOf(payout) },
      ...reading,
      read: async (node, question) => {
        if (hashes.areOthers) throw otherHashes()
        return reading.read(node, question)
      },
      draft: (items) => Promise.all(items.map(({ payout }) => draftOf(payout, deps))),
      sign: async (transaction, signer, allocator) => {
        const transfer = readPrepared(transaction)
        const owner = accounts.keyOf(transfer.from, { signer, allocator })
        return signTransfer(transfer, { signer: apiSigner, key: keys.require(transfer.from), owner })
      },
      broadcast: (attempts) =>
        broadcastInOrder(deps.pool, attempts, {
          send: (rest, attempt, signal) => send(rest, attempt, { signal, fees: deps.fees, hashes }),
          isAside: () => false,
        }),
    },
    order: { kind: 'strict', mostOpen: MOST_OPEN },
    lifetime,
    longestLifetime: LONGEST_LIFETIME + EXPIRY_MARGIN,
    deathMargin: DEATH_MARGIN_BLOCKS,
    cosigns: true,
    moment: askMoment,
    pointOf: ({ time }) => BigInt(time),
  }
}

type Drafts = Awaited<ReturnType<SequenceChain<LighterNode>['draft']>>

/** Null where the exchange takes more now than the payment may cost (faults.md F124). */
const draftOf = async (payout: Payout, { settings, keys, fees }: LighterPaymentsDeps): Promise<Drafts[number]> => {
  const { from, to, currency, amount, orderId, purpose } = paymentForm(payout, settings.depository)
  const { apiKeyIndex } = keys.require(from)
  const fee = await fees.transferFee(from, to)
  if (fee > smaller(payout.feeLimit ?? settings.maxFeeUsdc, settings.maxFeeUsdc)) return null
  const { asset, route } = routeOf(currency)
  return ({ sequence, until }) => ({
    transaction: preparedJson({
      ...{ from, to, asset, route, apiKeyIndex, amount: amount.toString(), fee: fee.toString() },
      ...{ memo: orderId.slice(2).toLowerCase(), nonce: sequence.toString() },
      expiredAt: expiryOf(until - EXPIRY_MARGIN, purpose).toString(),
    }),
    feeCap: fee,
  })
}

/** Whether the exchange named a payment by another hash than its signer: no payment can be looked up then. */
interface SeenHashes {
  areOthers: boolean
}

const otherHashes = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Lighter names payments by other hashes than its signer does. Payments are not judged: update the chain package.',
  )

const readTaken = answerOf(Type.Object({ tx_hash: TX_HASH }))

interface Sending {
  readonly signal: AbortSignal
  readonly hashes: SeenHashes
  readonly fees: Pick<TransferFees, 'refused'>
}

/** Sends the stored bytes to one node. */
const send = async (rest: RestClient, attempt: SignedAttempt, sending: Sending): Promise<BroadcastResult> => {
  const { signal, fees, hashes } = sending
  const form = { tx_type: TRANSFER, tx_info: textOf(attempt.raw) }
  const answer = readAnswer(await rest.postForm('/api/v1/sendTx', form, EXPLAINED, { repeatable: false, signal }))
  if ('json' in answer) {
    if (bareHash(readTaken(answer.json).tx_hash) !== attempt.txId) hashes.areOthers = true
    return { outcome: 'known' }
  }
  const { refusal } = answer
  if (isFeeRefusal(refusal)) fees.refused()
  return isNonceRefusal(refusal) ? numberResult(rest, attempt, signal) : broadcastResultOf(refusal)
}

/** The exchange refuses a number that is used up, also by the same bytes, and one whose turn has not come. */
const numberResult = async (
  rest: RestClient,
  { txId, transaction }: SignedAttempt,
  signal: AbortSignal,
): Promise<BroadcastResult> => {
  const asked = askedOf(rest, signal)
  if ((await askTransaction(asked, txId)) !== null) return { outcome: 'known' }
  const { from, nonce, apiKeyIndex } = readPrepared(transaction)
  const next = await askNextNonce(asked, { account: from, apiKeyIndex })
  if (BigInt(nonce) >= next)
    return { outcome: 'unknown', message: 'The exchange waits for an earlier payment of the account.' }
  return { outcome: 'rejected', reason: 'nonce-too-low', message: 'The number of this payment is used up.' }
}
