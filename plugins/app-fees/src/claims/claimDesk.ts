import {
  type Clock,
  type Currency,
  type CurrencyRegistry,
  destinationText,
  type Hex,
  larger,
  type Money,
  parseDestination,
  readDestination,
  ServiceError,
} from '@causeway/core'
import type { Destination, Prices } from '@causeway/core/chain'
import {
  type AppBalance,
  amountForUsd,
  type BalanceCurrency,
  type Chain,
  type ChainRegistry,
  type DatabasePool,
  failpoint,
  findClaim,
  hasLostClaims,
  isBalanceTooLow,
  type NewClaim,
  payClaim,
  personalDigest,
  type RecipientScreening,
  readAppBalances,
  type WalletSignatures,
  whyNotPayable,
  withTransaction,
} from '@causeway/core/plugin'
import type { AppFeesSettings } from '../options.js'
import type { ClaimOffers } from './claimOffers.js'
import { ClaimPricer, type ClaimRequest, type PricedClaim } from './claimPricer.js'

export interface ClaimDeskDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly signatures: WalletSignatures
  readonly screening: RecipientScreening
  readonly offers: ClaimOffers
  /** Null: this deployment keeps no balances. */
  readonly balanceCurrency: BalanceCurrency | null
  readonly settings: AppFeesSettings
}

/** Body of a claim that fits its schema. */
export interface ClaimBody {
  readonly chainId: number
  readonly currency: string
  readonly recipient: string
  readonly amount?: string
}

/** What is to be signed, and what it will pay. */
export interface AskedClaim {
  readonly id: Hex
  /** Come back with the signature (`ClaimOffers`). */
  readonly terms: string
  readonly taken: Money
  readonly paid: Money
  readonly recipient: string
}

/** Where a claim goes. */
interface ClaimEnd {
  readonly chain: Chain
  readonly currency: Currency
  readonly recipient: Destination
}

/** Stands in for the id of a claim that does not exist yet. */
const PLACEHOLDER: Hex = `0x${'ff'.repeat(32)}`

const UNKNOWN =
  'There is no such claim: body.requestId and body.terms must be those of post.body of its step. Ask for a new one.'

const refused = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

/** Claims of wallets to their balances, from the question to the payout (wire.md 4.12). */
export class ClaimDesk {
  readonly #deps: ClaimDeskDeps
  readonly #pricer: ClaimPricer

  constructor(deps: ClaimDeskDeps) {
    this.#deps = deps
    this.#pricer = new ClaimPricer(deps)
  }

  /** Binds what is claimed to an id, which its wallet (in lower case) may sign for a while. Stores nothing. Throws ServiceError. */
  async ask(wallet: string, body: ClaimBody): Promise<AskedClaim> {
    const { clock, settings, offers } = this.#deps
    const end = this.#endOf(body)
    const balance = await this.#balanceOf(wallet, end)
    const taken = { currency: balance.currency, amount: await this.#amountOf(body, balance) }
    await this.#requireKnown(wallet)
    const priced = await this.#pricer.price({ ...end, id: PLACEHOLDER, taken })
    const terms = {
      wallet,
      balance: { chainId: taken.currency.chainId, currency: taken.currency.address, amount: taken.amount },
      chainId: end.chain.config.id,
      currency: end.currency.address,
      recipient: destinationText(end.recipient),
      minimum: priced.minimum,
    }
    const { id, text } = offers.make(terms, clock.now() + settings.claimSeconds * 1_000)
    return {
      ...{ id, terms: text, taken, recipient: terms.recipient },
      paid: { currency: end.currency, amount: priced.amount },
    }
  }

  /**
   * The wallet signed its claim: it is paid, once, whoever posts the signature and how often. `terms` as they were offered; not needed for
   * a claim that is stored. Throws ServiceError.
   */
  async sign(id: Hex, signature: string, terms: string | undefined): Promise<void> {
    const { pool, clock, offers } = this.#deps
    const stored = await findClaim(pool, id)
    const claim = stored ?? offers.read(id, terms)
    if (claim === null) throw refused(UNKNOWN)
    const request = this.#requestOf(claim)
    await this.#requireSigned(claim, request.taken, signature)
    if (stored !== null && stored.payoutId !== null) return
    if (clock.now() > claim.expiresAt) throw refused('The time to sign this claim is over. Ask for a new one.')
    this.#deps.screening.screen(request.recipient.address)
    await this.#requireKnown(claim.wallet)
    const priced = await this.#pricer.price(request)
    if (priced.amount < claim.minimum) {
      throw refused('Prices moved: the claim would pay less than it said. Ask for a new one.')
    }
    await this.#pay(claim, request, priced, signature)
  }

  async #pay(claim: NewClaim, { chain }: ClaimRequest, priced: PricedClaim, signature: string): Promise<void> {
    const { pool, clock } = this.#deps
    const { amount, fee, gas } = priced
    const payment = { signer: chain.config.solver, amount, fee, gas }
    try {
      await failpoint('claim.sign.before')
      await withTransaction(pool, (client) => payClaim(client, { claim, signature, payment }, clock.now()))
      await failpoint('claim.sign.after')
    } catch (error) {
      if (!isBalanceTooLow(error)) throw error
      throw refused('The balance does not cover this claim any more. Ask for a new one.')
    }
  }

  /** Throws ServiceError for what is not paid to, or not in. */
  #endOf({ chainId, currency: text, recipient: to }: ClaimBody): ClaimEnd {
    const { chains, currencies, screening } = this.#deps
    const chain = chains.find(chainId)
    if (chain === undefined) throw new ServiceError('UNSUPPORTED_CHAIN', `body.chainId ${chainId} is not a chain here`)
    chains.requireServed(chain)
    const address = chain.adapter.normalizeCurrency(text)
    const currency = address === null ? undefined : currencies.find(chainId, address)
    if (currency === undefined) {
      throw new ServiceError('UNSUPPORTED_CURRENCY', `body.currency is none that the solver holds on chain ${chainId}`)
    }
    const read = readDestination(chain.adapter, to)
    if (!read.ok) {
      throw new ServiceError('INVALID_ADDRESS', `body.recipient is not an address of chain ${chainId}: ${read.why}`)
    }
    const why = whyNotPayable(chain, currencies.ofChain(chainId), read.destination.address)
    if (why !== null) throw new ServiceError('INVALID_RECIPIENT', `body.recipient ${why}`)
    screening.screen(read.destination.address)
    return { chain, currency, recipient: read.destination }
  }

  /** The balance in the claimed currency where there is one, else that in the currency of balances. */
  async #balanceOf(
    wallet: string,
    { currency }: ClaimEnd,
  ): Promise<{ readonly currency: Currency; readonly free: bigint }> {
    const { pool, balanceCurrency, currencies } = this.#deps
    const balances = (await readAppBalances(pool, wallet)).filter(({ app }) => app > 0n)
    const inCurrency = (own: { readonly chainId: number; readonly address: string }): AppBalance | undefined =>
      balances.find((item) => item.chainId === own.chainId && item.currency === own.address)
    const balance = inCurrency(currency) ?? (balanceCurrency === null ? undefined : inCurrency(balanceCurrency))
    const known = balance === undefined ? undefined : currencies.find(balance.chainId, balance.currency)
    if (balance === undefined || known === undefined) throw refused('This wallet has nothing to claim')
    return { currency: known, free: balance.app }
  }

  /** Throws ServiceError above the balance, or below the least. */
  async #amountOf(
    { amount: asked }: ClaimBody,
    { currency, free }: { readonly currency: Currency; readonly free: bigint },
  ): Promise<bigint> {
    const amount = asked === undefined ? free : BigInt(asked)
    if (amount > free) throw refused(`body.amount is above the balance: ${free} of ${currency.symbol} can be claimed`)
    const least = await this.minimumOf(currency)
    if (amount < least) {
      throw new ServiceError('AMOUNT_TOO_LOW', `At least ${least} of ${currency.symbol} are claimed at once`)
    }
    return amount
  }

  /** The least that is claimed at once of a balance, smallest unit: the operator's minimum, or more while the network is dear. */
  async minimumOf(currency: Currency): Promise<bigint> {
    const { prices, settings, chains } = this.#deps
    const chain = chains.find(currency.chainId)
    const [[price], worthwhile] = await Promise.all([
      prices.get([currency]),
      chain === undefined ? 0n : this.#pricer.leastOf(chain, currency),
    ])
    if (price === undefined) throw new Error('Prices answers for each currency it is asked for')
    const least = larger(amountForUsd(settings.minimumClaim, currency, price.usd, 'up'), worthwhile)
    return least > 0n ? least : 1n
  }

  /** After an older database was put back the chains may show claims that it does not know (faults.md F118). */
  async #requireKnown(wallet: string): Promise<void> {
    if (!(await hasLostClaims(this.#deps.pool, wallet))) return
    throw new ServiceError('SERVICE_UNAVAILABLE', 'What this wallet claimed before is not all known now. Try later.')
  }

  #requestOf({ id, balance, chainId, currency: address, recipient }: NewClaim): ClaimRequest {
    const { chains, currencies } = this.#deps
    const chain = chains.find(chainId)
    const [own, paid] = [currencies.find(balance.chainId, balance.currency), currencies.find(chainId, address)]
    if (chain === undefined || own === undefined || paid === undefined) {
      throw refused('The currency of this claim is not served any more. Ask for a new one.')
    }
    const taken = { currency: own, amount: balance.amount }
    return { id, taken, chain, currency: paid, recipient: parseDestination(recipient) }
  }

  /**
   * By the key of the wallet, or by the contract that it is on the chain of the balance: at its address on another chain may be somebody
   * else's.
   */
  async #requireSigned({ id, wallet }: NewClaim, taken: Money, signature: string): Promise<void> {
    const digest = personalDigest(Buffer.from(id.slice(2), 'hex'))
    const chainIds = [taken.currency.chainId]
    const verdict = await this.#deps.signatures.verify({ wallet, digest, signature, chainIds })
    if (verdict.kind === 'refused') throw refused(verdict.reason)
  }
}
