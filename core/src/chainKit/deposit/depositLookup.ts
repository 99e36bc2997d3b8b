import type { ChainAdapter, DepositEvidence } from '../../chain/chainAdapter.js'
import type { BlockRef, DepositReference, TxRef } from '../../chain/chainReferences.js'
import { ServiceError } from '../../errors/serviceError.js'
import { smaller } from '../../money/compare.js'
import type { EndpointWorth } from '../endpoints/endpointOrder.js'
import { type AskedProviders, leastAnswers, tooFewAnswers } from '../quorum/askProviders.js'
import {
  type ClaimedDeposit,
  confirmByProviders,
  type DepositVote,
  type DepositVoteDeps,
  isClaimed,
  type NamedEndpoint,
} from '../quorum/depositVote.js'
import { type ChainReading, type TransactionReading, UNSEEN } from './chainReading.js'
import { type EvidenceWords, evidenceOf } from './depositEvidence.js'

/** An endpoint of any kind of API. */
export type LookupEndpoint = NamedEndpoint & Pick<EndpointWorth, 'provider' | 'lateness'>

export interface DepositLookupDeps<Endpoint extends LookupEndpoint> {
  readonly pool: AskedProviders<Endpoint> & {
    /** Every trusted endpoint. */
    ordered(): readonly Endpoint[]
  }
  readonly monitor: DepositVoteDeps<Endpoint>['monitor']
  /** `confirmations.settle` of the chain: where `final` is shown, so many confirmations are those of a final block alone. */
  readonly settle: number
  readonly words?: EvidenceWords
  /**
   * What an endpoint shows of transactions; without one, what any that answers shows.
   * @throws ServiceError when it does not answer
   */
  read(txs: readonly TxRef[], endpoint?: Endpoint): Promise<ChainReading>
  /**
   * Whether each block stands in the endpoint's own chain; true of what it cannot know, such as one that it threw away. Absent
   * where no two honest nodes ever show different blocks, as those of a chain that votes on a block before it shows it: elsewhere
   * a node may not know yet of the branch that was rewound to, and what it shows is where a deposit was (wire.md K.2 6).
   */
  hold?(blocks: readonly BlockRef[], endpoint: Endpoint): Promise<readonly boolean[]>
  /**
   * Whether an endpoint still has what a block held, or had it once: one that dropped it says nothing of a deposit that it does not show.
   * Absent where no node drops blocks, or `read` throws then.
   */
  remembers?(height: bigint, endpoint: Endpoint): Promise<boolean>
  /** Whether a transaction that `read` does not show waits to be included; absent where `read` tells. */
  isPending?(id: string): Promise<boolean>
}

/** What one endpoint shows. */
interface Seen<Endpoint> {
  readonly endpoint: Endpoint
  readonly reading: ChainReading
}

/**
 * Looks deposits and transactions up, by what a chain shows of single transactions. Serves `recheckDeposits`, `confirmDeposit` and
 * `findTransaction` of an adapter: hand them out, or spread the lookup. They are bound.
 */
export class DepositLookup<Endpoint extends LookupEndpoint> {
  readonly #deps: DepositLookupDeps<Endpoint>

  constructor(deps: DepositLookupDeps<Endpoint>) {
    this.#deps = deps
  }

  /**
   * Where stored deposits are now. A node's silence is not believed while another one still shows the deposit in a block, nor
   * another amount than most show, nor the reading of fewer than two providers where two are configured, nor a block that is not in the chain of every node that answers.
   * Nodes that stand still are not asked.
   * @throws ServiceError SERVICE_UNAVAILABLE while too few answer, or they differ
   */
  readonly recheckDeposits = async (references: readonly DepositReference[]): Promise<readonly DepositEvidence[]> => {
    const txs = new Map(references.map(({ tx }) => [tx.id, tx]))
    const ids = [...txs.keys()]
    const seen = await this.#remembering(references, await this.#readEverywhere([...txs.values()]))
    const best = new Map(ids.map((id) => [id, bestOf(seen, id)]))
    await this.#requireSameBlocks(
      seen,
      ids.flatMap((id) => seen.map(({ reading }) => reading.transactions.get(id)?.block ?? null)),
    )
    return references.map((reference) => evidenceOf(reference, best.get(reference.tx.id) ?? UNSEEN, this.#deps.words))
  }

  /**
   * True when `agreeing` trusted providers show the same deposit, each `confirmations` deep by its own head, and in a final block
   * from `settle` on. Those that show what most others deny are not trusted any more.
   * @throws ServiceError SERVICE_UNAVAILABLE when fewer than `agreeing` answer
   */
  readonly confirmDeposit = (
    claim: ClaimedDeposit,
    { agreeing, confirmations = 1 }: { readonly agreeing: number; readonly confirmations?: number },
  ): Promise<boolean> =>
    confirmByProviders(claim, agreeing, (endpoint) => this.#voteOf(endpoint, claim, confirmations), this.#deps)

  /** State of one transaction, with the order ids of the deposits it makes. */
  readonly findTransaction = async (tx: TxRef): ReturnType<ChainAdapter['findTransaction']> => {
    const { transactions } = await this.#deps.read([tx])
    const { status, block, deposits } = transactions.get(tx.id) ?? UNSEEN
    const depositOrderIds = deposits.flatMap(({ orderId }) => (orderId === null ? [] : [orderId]))
    const waits = status === 'unknown' && (await this.#deps.isPending?.(tx.id)) === true
    return { status: waits ? 'pending' : status, block, depositOrderIds }
  }

  async #readEverywhere(txs: readonly TxRef[]): Promise<readonly Seen<Endpoint>[]> {
    const { pool } = this.#deps
    const asked = pool.ordered().filter(({ lateness }) => lateness !== 'stands')
    const answers = await Promise.allSettled(
      asked.map(async (endpoint) => ({ endpoint, reading: await this.#deps.read(txs, endpoint) })),
    )
    const seen = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    this.#requireAnswers(seen)
    return seen
  }

  /** Those that show every deposit, or have the block of each that none shows; of these too as many must be left as have to answer. */
  async #remembering(
    references: readonly DepositReference[],
    seen: readonly Seen<Endpoint>[],
  ): Promise<readonly Seen<Endpoint>[]> {
    const { remembers } = this.#deps
    const missing = references.filter(({ tx }) => bestOf(seen, tx.id).block === null)
    const [least, ...more] = missing.flatMap(({ height }) => height ?? [])
    if (remembers === undefined || least === undefined) return seen
    const oldest = more.reduce(smaller, least)
    const votes = await Promise.all(seen.map(({ endpoint }) => remembers(oldest, endpoint).catch(unlessService)))
    const left = seen.filter((_, at) => votes[at] === true)
    this.#requireAnswers(left)
    return left
  }

  /** @throws ServiceError SERVICE_UNAVAILABLE where fewer providers than must answered */
  #requireAnswers(seen: readonly Seen<Endpoint>[]): void {
    const answering = new Set(seen.map(({ endpoint }) => endpoint.provider)).size
    if (answering < Math.max(1, leastAnswers(this.#deps.pool))) throw tooFewAnswers()
  }

  async #requireSameBlocks(seen: readonly Seen<Endpoint>[], shown: readonly (BlockRef | null)[]): Promise<void> {
    const blocks = [...new Map(shown.flatMap((block) => (block === null ? [] : [[block.hash, block]]))).values()]
    if (this.#deps.hold === undefined || blocks.length === 0) return
    const votes = await Promise.all(seen.map(({ endpoint }) => this.#deps.hold?.(blocks, endpoint)))
    if (votes.flat().every((stands) => stands === true)) return
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The nodes of this chain differ on its newest blocks. Try again later.',
    )
  }

  async #voteOf(endpoint: Endpoint, claim: ClaimedDeposit, confirmations: number): Promise<DepositVote> {
    const reading = await this.#deps.read([claim.tx], endpoint)
    const { complete, transactions } = reading
    const transaction = transactions.get(claim.tx.id) ?? UNSEEN
    if (transaction.block === null || !isClaimed(transaction.deposits[claim.position], claim)) {
      return { height: null, confirms: false, complete }
    }
    const { height } = transaction.block
    return { height, confirms: this.#isDeep(transaction, height, reading, confirmations), complete }
  }

  #isDeep(
    { leastConfirmations = 0n }: TransactionReading,
    height: bigint,
    { tip, final }: ChainReading,
    confirmations: number,
  ): boolean {
    if (final !== undefined && confirmations >= this.#deps.settle) return height <= final
    const depth = tip - height + 1n
    return depth >= BigInt(confirmations) && depth >= leastConfirmations
  }
}

/** In a block where some endpoint shows it in one, as most of those show it, else waiting where some endpoint knows it. */
const bestOf = (seen: readonly Seen<unknown>[], id: string): TransactionReading => {
  const readings = seen.flatMap(({ reading }) => reading.transactions.get(id) ?? [])
  const inBlocks = readings.filter(({ block }) => block !== null)
  return inBlocks.length > 0 ? mostShown(inBlocks) : (readings.find(({ status }) => status !== 'unknown') ?? UNSEEN)
}

/** @throws ServiceError SERVICE_UNAVAILABLE where none is shown by more than any other */
const mostShown = (readings: readonly TransactionReading[]): TransactionReading => {
  const alike = new Map<string, TransactionReading[]>()
  for (const reading of readings) alike.set(contentOf(reading), [...(alike.get(contentOf(reading)) ?? []), reading])
  const [[best] = [], second = []] = [...alike.values()].sort((left, right) => right.length - left.length)
  if (best === undefined) return UNSEEN
  if (second.length < (alike.get(contentOf(best))?.length ?? 0)) return best
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The nodes of this chain show a deposit differently. Try again later.')
}

/** A node that does not answer remembers nothing. */
const unlessService = (error: unknown): false => {
  if (ServiceError.is(error)) return false
  throw error
}

/** What a transaction is said to have done. */
const contentOf = ({ status, deposits }: TransactionReading): string =>
  JSON.stringify([status, deposits.map(({ orderId, money }) => [orderId, money.currency, money.amount.toString()])])
