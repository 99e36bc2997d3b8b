import type { DepositAddresses } from '../../../chain/address/depositAddresses.js'
import type { ChainAdapter } from '../../../chain/chainAdapter.js'
import type { ChainDeps } from '../../../chain/chainPackage.js'
import type { FeeQuote } from '../../../chain/chainReferences.js'
import type { Payout } from '../../../chain/laneAdapter.js'
import type { Signer } from '../../../chain/signer.js'
import { AccountSums, type AccountSumsDeps } from '../../arrivals/accountSums.js'
import { requireSweepKey, type SweepKey } from '../keyed/accountKey.js'
import { OpenSweeps } from './openSweeps.js'
import { requireLabel, type SweepPlan, SweepPlans, type SweepRules } from './sweepPlans.js'
import type { TaggedAccount } from './taggedAccount.js'

const FEE_VALID_MS = 5000

export interface TaggedAddressesDeps<Node extends object, Transaction, Payment>
  extends SweepRules<Payment>,
    Pick<AccountSumsDeps<Node, Transaction>, 'pool' | 'source' | 'history' | 'isThere' | 'logger'> {
  readonly chainId: number
  readonly tagged: TaggedAccount<Transaction>
  readonly balances: ChainAdapter['getBalances']
  readonly keptSums?: ChainDeps['keptSums']
  readonly buildPayment: DepositAddresses['buildPayment']
  /** Network fee of one sweep now, native smallest unit. */
  fee(): Promise<bigint>
  /** The key of the account, from the seed. */
  keyOf(seed: Uint8Array): SweepKey
}

/** Sweeps as a lane uses them. */
export interface TaggedSweeps<Payment> {
  readonly account: string
  /** Returns the sweep of an address, or why it has no money to move now. @throws ServiceError as `form` */
  plan(payout: Payout): Promise<SweepPlan<Payment>>
  /**
   * Returns the sweep of an address; null if it has no money to move now.
   * @throws ServiceError when nodes do not answer, or the payout is no sweep of this chain
   */
  form(payout: Payout): Promise<Payment | null>
  /** A sweep got its number, and may land up to a height, or up to a second where payments expire by time. */
  begun(payout: Payout, slot: { readonly sequence: bigint; readonly until: bigint }): void
  /** The key of the account. @throws ServiceError without the seed, or if the seed gives another account */
  signer(seed: Uint8Array | undefined): Signer
}

/**
 * Deposit addresses that are one account with a tag, memo or comment each. The sum of each label is read from the account's transactions.
 * `addresses` is the member of the adapter, `sweeps` is for its lane and its simulator.
 */
export class TaggedAddresses<Node extends object, Transaction, Payment> {
  readonly addresses: DepositAddresses
  readonly sweeps: TaggedSweeps<Payment>
  readonly #deps: TaggedAddressesDeps<Node, Transaction, Payment>
  readonly #open = new OpenSweeps()
  readonly #sums: AccountSums<Node, Transaction>

  constructor(deps: TaggedAddressesDeps<Node, Transaction, Payment>) {
    this.#deps = deps
    this.#sums = this.#sumsOf()
    this.addresses = this.#addresses()
    this.sweeps = this.#sweeps()
  }

  #sumsOf(): AccountSums<Node, Transaction> {
    const { chainId, tagged, keptSums, pool, source, history, isThere, logger } = this.#deps
    const { account } = tagged
    return new AccountSums({
      ...{ pool, source, history, account, isThere, logger, isFirst: tagged.isFirst },
      ...(keptSums && {
        kept: {
          load: () => keptSums.load(chainId, account),
          save: (changed, after) => keptSums.save(chainId, account, changed, after),
        },
      }),
      movesOf: (transaction) => {
        const place = tagged.placeOf(transaction)
        if (place?.number != null) this.#open.used(place.number, place.block.height)
        return tagged.movesOf(transaction)
      },
    })
  }

  #addresses(): DepositAddresses {
    const { tagged, native, buildPayment, fee } = this.#deps
    const { labels } = tagged
    return {
      forms: [labels.form],
      isSweptByKey: true,
      sweepsOneCurrency: true,
      turns: labels.turns,
      derive: (terms, turn = 0) => {
        const label = labels.of(terms, turn)
        const derivation = labels.form === 'tag' ? { tag: Number(label), turn } : { memo: label, turn }
        return { destination: labels.spell(label), derivation }
      },
      spell: (named) => {
        const label = labels.read(named)
        return label === null ? named : labels.spell(label)
      },
      buildPayment,
      holdings: async (addresses, asked) => {
        const view = await this.#sums.read()
        return addresses.map(({ destination }) => {
          // An address of an account that was configured before does not hold the others up.
          const label = labels.read(destination)
          const held =
            label === null ? [] : asked.map((currency) => ({ currency, amount: view.sumOf(label, currency) }))
          return held.filter(({ amount }) => amount > 0n)
        })
      },
      sweepFee: async (): Promise<FeeQuote> => ({
        network: { currency: native.address, amount: await fee() },
        validForMs: FEE_VALID_MS,
      }),
    }
  }

  #sweeps(): TaggedSweeps<Payment> {
    const { tagged, keyOf } = this.#deps
    const { account, labels } = tagged
    const plans = new SweepPlans({ ...this.#deps, account, labels, sums: this.#sums, open: this.#open })
    return {
      account,
      plan: (payout) => plans.plan(payout),
      form: async (payout) => {
        const plan = await plans.plan(payout)
        return plan.ok ? plan.payment : null
      },
      begun: ({ sweep, money }, { sequence, until }) => {
        if (sweep === undefined) return
        const label = requireLabel(labels, sweep.address.destination)
        this.#open.drafted(label, money.currency, { number: sequence, until })
      },
      signer: (seed) => {
        const signer = requireSweepKey(account, seed, keyOf)
        this.#open.signing()
        return signer
      },
    }
  }
}
