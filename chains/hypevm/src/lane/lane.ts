import { larger, ServiceError, smaller } from '@causeway/core'
import type { BroadcastResult, NonceMappings, Payout, SignedAttempt, Signer } from '@causeway/core/chain'
import {
  type AccountPayments,
  broadcastInTurn,
  type Draft,
  evmAddressOfKey,
  httpStatusError,
  PayingAccounts,
} from '@causeway/core/chain-kit'
import { readPaymentId } from '../address/paymentIds.js'
import { purposeMark, sweepMark } from '../deposit/ownMarks.js'
import { requireSweeps } from '../depositAddress/depositAddresses.js'
import { type HypeSettings, LONGEST_WINDOW_MS } from '../options.js'
import { activationOf, type PaymentForm, paymentForm, preparedJson, readPrepared } from '../payout/paymentForm.js'
import { costsOf } from '../payout/payoutFees.js'
import { sendAssetOf } from '../payout/sendAsset.js'
import type { HypeSimulatorDeps } from '../payout/simulator.js'
import type { ExchangeNode, ExchangePool } from '../rpc/exchangeNode.js'
import { askMoment, laneReading } from './accountReading.js'
import { broadcastResultOf, readExchangeAnswer } from './exchangeAnswers.js'
import { nonceFor, untilOf } from './landing.js'
import { requestOf, signPayment } from './signPayment.js'

/** Milliseconds after the first verdict that a payment is dead: lists of an account may follow the clock of the exchange late. */
const DEATH_MARGIN_MS = 10_000
const NOT_FOUND = 404

export interface HypePaymentsDeps extends HypeSimulatorDeps {
  readonly chainId: number
  readonly settings: Pick<HypeSettings, 'isTestnet' | 'spotUsdc' | 'depositKey' | 'lagMs' | 'windowMs'>
  /** Null: a command without a database, which pays nothing. */
  readonly mappings: NonceMappings | null
  /** Unix milliseconds now by the clock of the exchange alone: the times at which a payment may land follow from its nonce. */
  now(): Promise<bigint>
}

/**
 * Payments of the solver by nonces (chains.md hypevm 5). A nonce lies in the past, so that its action can land for a short time only; the
 * mapping of the nonce to the order is stored before the action is signed. Depository and deposit addresses sign for their own money, by
 * nonces of the same row.
 */
export const hypePayments = (deps: HypePaymentsDeps): AccountPayments<ExchangeNode> => {
  const { settings, depository, pool } = deps
  const addressOf = ({ publicKey }: Signer) => evmAddressOfKey(publicKey)
  const accounts = new PayingAccounts({ depository, deposits: null, addressOf })
  let now = 0n
  // The nonce of a payment that was never stored has a mapping too, so that no other payment can have it.
  let given = 0n
  return {
    chain: {
      addressOf,
      ...laneReading({ ...deps, ...settings }),
      draft: async (items) => {
        const [time, drafts] = await Promise.all([
          deps.now(),
          Promise.all(items.map(({ payout }) => draftOf(payout, deps))),
        ])
        now = larger(now, time)
        return drafts.map((draft) =>
          draft === null
            ? null
            : (slot) => {
                given = larger(given, slot.sequence)
                return draft(slot)
              },
        )
      },
      sign: async (transaction, signer, allocator, seed) => {
        const payment = readPrepared(transaction)
        const { sweep, from } = payment
        const key =
          sweep === null ? accounts.keyOf(from, { signer, allocator }) : requireSweeps(deps.sweeps).signer(sweep, seed)
        return signPayment(payment, key)
      },
      broadcast: (attempts) => Promise.all(attempts.map((attempt) => submit(attempt, pool))),
    },
    order: { kind: 'free', least: () => larger(nonceFor(now, settings.windowMs), given + 1n), until: untilOf },
    lifetime: settings.windowMs,
    longestLifetime: LONGEST_WINDOW_MS,
    deathMargin: DEATH_MARGIN_MS,
    cosigns: true,
    moment: (node) => askMoment(node, settings.lagMs),
  }
}

/** Null where the payment cannot be made now: the fee is above its limit, or a sweep would move no money. */
const draftOf = async (payout: Payout, deps: HypePaymentsDeps): Promise<Draft | null> => {
  const form = await formOf(payout, deps)
  if (form === null) return null
  const { network: feeCap } = costsOf(form, await activationOf(deps.pool, form, deps))
  if (payout.feeLimit !== undefined && smaller(payout.feeLimit, feeCap) < feeCap) return null
  const { from, to, asset, amount, sweep } = form
  return async ({ sequence }) => {
    const nonce = Number(sequence)
    if (!(await isRegistered(payout, form, nonce, deps))) return null
    const parameters = sendAssetOf(asset, { to, amount, nonce, isTestnet: deps.settings.isTestnet })
    return { transaction: preparedJson({ from, parameters, sweep }), feeCap }
  }
}

const formOf = async (payout: Payout, deps: HypePaymentsDeps): Promise<PaymentForm | null> => {
  if (payout.purpose !== 'sweep') return paymentForm(payout, deps)
  const plan = await requireSweeps(deps.sweeps).plan(payout)
  return plan.ok ? plan.payment : null
}

/** Stores which order a nonce is for. False: the nonce is for another one, and must not be used. */
const isRegistered = async (
  { orderId, purpose }: Payout,
  { from: wallet, sweep }: PaymentForm,
  nonce: number,
  { mappings, chainId, settings: { depositKey } }: HypePaymentsDeps,
): Promise<boolean> => {
  if (mappings === null)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Payments on Hyperliquid need the nonce mappings of the database.')
  const key = { wallet, nonce, id: orderId }
  const depositor = sweep === null || depositKey === null ? purposeMark(purpose, wallet) : sweepMark(depositKey, key)
  return (await mappings.register({ ...key, chainId, depositor }, 'own')) !== 'taken'
}

/** Posts the stored request to one API server after the other until one takes it, and then to one more. */
const submit = ({ raw, txId }: SignedAttempt, pool: ExchangePool): Promise<BroadcastResult> => {
  const request = requestOf(raw)
  const sender = readPaymentId(txId)?.sender ?? ''
  return broadcastInTurn(pool, async (rest, signal) => {
    const answer = await rest.post('/exchange', request, readExchangeAnswer, { signal, repeatable: false })
    if (answer === null) throw httpStatusError(NOT_FOUND, null)
    return broadcastResultOf(answer, sender)
  })
}
