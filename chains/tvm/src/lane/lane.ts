import { larger, smaller } from '@causeway/core'
import { type Payout, type Signer, signChecked } from '@causeway/core/chain'
import { type AccountPayments, askInOrder, type Draft, requestGuard } from '@causeway/core/chain-kit'
import { addressOfKey } from '../address/keyAddress.js'
import { LONGEST_WINDOW_SECONDS, type TronSettings } from '../options.js'
import { bytesOf, feeOf, limitOf, type Spent, TYPICAL_ENERGY } from '../payout/costs.js'
import { type PaymentForm, paymentForm, preparedJson, readPrepared, tryForm } from '../payout/paymentForm.js'
import { activates } from '../payout/payoutFees.js'
import { requireSweeps, type TronSimulatorDeps } from '../payout/simulator.js'
import { termsOf, withdrawalDigest, withdrawalStructHash } from '../payout/withdrawal.js'
import { askAccount, askResources, type Prices } from '../rpc/accounts.js'
import { askHead, type Header } from '../rpc/blocks.js'
import type { TronNode } from '../rpc/tronNode.js'
import { askMoment, laneReading } from './accountReading.js'
import { broadcast } from './broadcast.js'
import { loadEncoder, rawOf, signPayment } from './signTransaction.js'

export interface TronPaymentsDeps extends TronSimulatorDeps {
  readonly chainId: number
  readonly settings: Pick<TronSettings, 'depository' | 'windowSeconds' | 'maxFeeSun'>
  /** Unix milliseconds. */
  now(): number
}

interface Item {
  readonly payout: Payout
  readonly gas: bigint | null
}

/**
 * Payments of the solver by their times: the number of a payment is its `timestamp`, which no other payment has, and it may land until its
 * `expiration` (chains.md tvm 5). No node lists a payment before it lands.
 */
export const tronPayments = (deps: TronPaymentsDeps): AccountPayments<TronNode> => {
  const { settings, pool, chainId } = deps
  const { depository, windowSeconds } = settings
  const reading = laneReading(depository)
  return {
    chain: {
      addressOf: ({ publicKey }: Signer) => addressOfKey(publicKey),
      ...reading,
      // A lane is read before it pays: only then is the encoder needed. A failure shows with the payment.
      list: (node, account, since) => {
        void loadEncoder().catch(() => undefined)
        return reading.list(node, account, since)
      },
      draft: async (items) => {
        const [prices, solid] = await Promise.all([
          deps.prices(),
          // A block that can leave would take every payment that refers to it along.
          askInOrder(pool, (node) => askHead(node, 'walletsolidity')),
        ])
        return Promise.all(items.map((item) => draftOf(item, { ...deps, now: prices, solid })))
      },
      sign: async (transaction, signer, _, seed) => {
        const payment = readPrepared(transaction)
        const parts = await signPayment(payment, signer, (address) => requireSweeps(deps.sweeps).signer(address, seed))
        const locator = parts.funding === null ? {} : { locator: parts.funding.id }
        return { txId: parts.payment.id, raw: rawOf(parts), ...locator }
      },
      broadcast: (attempts) => Promise.all(attempts.map((attempt) => broadcast(attempt, pool))),
    },
    order: { kind: 'free', least: () => BigInt(deps.now()) },
    lifetime: windowSeconds * 1000n,
    longestLifetime: BigInt(LONGEST_WINDOW_SECONDS) * 1000n,
    pointOf: ({ time }) => BigInt(time) * 1000n,
    moment: askMoment,
    authorizeWithdrawal: async (terms, allocator) => {
      const digest = withdrawalDigest(withdrawalStructHash(terms, depository), { chainId, depository })
      const signature = Buffer.from(await signChecked(allocator, digest)).toString('hex')
      return { nonce: terms.nonce, expiration: terms.expiration, signature: `0x${signature}` }
    },
  }
}

interface DraftTerms extends Omit<TronPaymentsDeps, 'now'> {
  readonly now: Prices
  readonly solid: Header
}

/** Null where the payment moves no money now, or would take more than its limit. */
const draftOf = async ({ payout, gas }: Item, terms: DraftTerms): Promise<Draft | null> => {
  const { settings, pool, now, solid } = terms
  const form = await formOf(payout, terms)
  if (form === null) return null
  const [isNew, energy] = await Promise.all([activates(pool, form), energyOf(form, gas, terms)])
  const spent = { energy, bytes: bytesOf(form), hasMemo: form.memo !== '', activates: isNew }
  const most = smaller(payout.feeLimit ?? settings.maxFeeSun, settings.maxFeeSun)
  const limit = form.sweep === null ? limitOf(spent, now, most) : null
  const priced =
    form.sweep === null ? limit && { ...limit, funding: 0n } : await fundingOf({ form, spent, most }, terms)
  if (priced === null) return null
  const { cap, feeLimit } = priced
  const { owner, to, data, memo, value, sweep } = form
  return ({ sequence, until }) => ({
    transaction: preparedJson({
      ...{ owner, to, data, memo, value: value.toString() },
      ...{
        feeLimit: data === '' ? '0' : feeLimit.toString(),
        timestamp: sequence.toString(),
        expiration: until.toString(),
      },
      refBlockBytes: solid.height.toString(16).slice(-4).padStart(4, '0'),
      refBlockHash: solid.hash.slice(16, 32),
      funding: sweep === null ? null : { from: payout.from, amount: priced.funding.toString(), address: sweep },
    }),
    feeCap: cap,
    guards: guardsOf(payout, settings.depository),
  })
}

const formOf = async (payout: Payout, deps: DraftTerms): Promise<PaymentForm | null> => {
  if (payout.purpose !== 'sweep') return paymentForm(payout, deps)
  const plan = await requireSweeps(deps.sweeps).plan(payout)
  return plan.ok ? plan.form : null
}

/** Energy of a call now; a call that fails now may succeed when it lands. A sweep is paid to the unit, so it is run again. */
const energyOf = async (form: PaymentForm, gas: bigint | null, { pool }: DraftTerms): Promise<bigint> => {
  if (form.data === '') return 0n
  if (gas !== null && gas > 0n && form.sweep === null) return gas
  const trial = await askInOrder(pool, (node) => tryForm(node, form))
  return trial?.failure === null ? trial.energy : TYPICAL_ENERGY
}

/**
 * TRX for a sweep: just what the network takes of the address, whose own TRX is money of a user. The lane pays the funding beside it; null
 * above the limit.
 */
const fundingOf = async (
  { form, spent, most }: { readonly form: PaymentForm; readonly spent: Spent; readonly most: bigint },
  { now, pool }: DraftTerms,
) => {
  const [account, resources] = await Promise.all([askAccount(pool, form.owner), askResources(pool, form.owner)])
  // An account that its funding activates has the free bandwidth of every account.
  const own = account === null ? { ...resources, freeNet: larger(resources.freeNet, spent.bytes) } : resources
  const funding = larger(feeOf(spent, now, own), 1n)
  const bytes = bytesOf({ data: '', memo: '0'.repeat(138), value: funding })
  const sent = { energy: 0n, bytes, hasMemo: true, activates: account === null }
  const cap = funding + feeOf(sent, now)
  return cap > most ? null : { funding, cap, feeLimit: spent.energy * now.energy }
}

const guardsOf = (payout: Payout, depository: string): readonly string[] => {
  if (payout.purpose !== 'withdraw') return []
  const terms = termsOf(payout)
  return [requestGuard(withdrawalStructHash(terms, depository), terms.expiration)]
}
