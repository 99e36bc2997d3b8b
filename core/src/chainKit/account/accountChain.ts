import type { BalanceQuery, Balances } from '../../chain/balances.js'
import type { RecipientStatus, TokenFacts } from '../../chain/chainAdapter.js'
import type { ChainDeps } from '../../chain/chainPackage.js'
import type { BlockRef, Destination } from '../../chain/chainReferences.js'
import type { Diagnosis, DiagnosisRequest } from '../../chain/endpoint/diagnosis.js'
import { AdapterShell } from '../adapter/adapterShell.js'
import type { AdapterReader } from '../adapter/defineAdapter.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import { EndpointMonitor } from '../endpoints/monitor/endpointMonitor.js'
import type { EndpointProbe } from '../endpoints/monitor/endpointProbe.js'
import { HeadPace, requireExplained } from '../endpoints/monitor/headPace.js'
import { NodeStream, type StreamParts } from '../heads/nodeStream.js'
import { IndexedLedger, type IndexedLedgerDeps } from '../ledger/indexedLedger.js'
import { askInOrder, type OrderedNodes } from '../quorum/askInOrder.js'
import type { AskedProviders } from '../quorum/askProviders.js'
import { SequenceValidity } from '../sequence/reading/sequenceValidity.js'
import type { LaneMoment, SequenceChain } from '../sequence/sequenceChain.js'
import { type LaneExtras, SequenceLane, type SequenceLaneDeps } from '../sequence/sequenceLane.js'

/** Questions that one node answers; each becomes a member of the adapter that puts it to the nodes in order. */
export interface AccountQuestions<Node, Transaction> {
  balances(node: Node, queries: readonly BalanceQuery[]): Promise<Balances>
  /** The amount that a transaction brought an account, as `ChainAdapter.accountGain`. */
  gainOf?(transaction: Transaction, account: { readonly address: string; readonly currency: string }): bigint | null
  recipient?(node: Node, to: Destination, currency: string): Promise<RecipientStatus>
  token?(node: Node, currency: string): Promise<TokenFacts | null>
  /** As `ChainAdapter.verifyContracts`; each provider has a view of its own then. */
  verify?(node: Node, expected: Pick<DiagnosisRequest, 'allocator'>): Promise<readonly Diagnosis[]>
}

/** How payments of the chain leave. */
export interface AccountPayments<Node>
  extends Pick<SequenceLaneDeps<Node>, 'order' | 'lifetime' | 'longestLifetime'>,
    Pick<LaneExtras, 'authorizeWithdrawal' | 'cosigns' | 'pace' | 'deathMargin' | 'payoutsPerTransaction'> {
  readonly chain: SequenceChain<Node>
  /** Where a node stands, on a chain where nothing shows a payment before it lands (`LaneAdapter.validity`). */
  readonly moment?: (node: Node) => Promise<LaneMoment>
  /** The point of a block in the unit of `until`. Absent: its height. Where payments expire by seconds: its time. */
  readonly pointOf?: (head: BlockRef) => bigint
}

/** The parts that are a chain's own. */
export interface AccountChainParts<
  Client,
  Node extends Endpoint<Client>,
  Transaction,
  Questions extends AccountQuestions<Node, Transaction> = AccountQuestions<Node, Transaction>,
> extends Pick<
    IndexedLedgerDeps<Node, Transaction>,
    'source' | 'range' | 'startHeight' | 'arrivals' | 'quiet' | 'words'
  > {
  readonly config: Pick<ChainDeps['config'], 'id' | 'slug' | 'currencies' | 'confirmations' | 'rpc'>
  readonly logger: ChainDeps['logger']
  /** The nodes of the chain: `JsonRpcClient` and `EndpointPool` are such. */
  readonly pool: AskedProviders<Node> & OrderedNodes<Node> & { readonly endpoints: readonly Node[]; close(): void }
  readonly probe: EndpointProbe<Client>
  /** Usual time between blocks until enough were seen, milliseconds. */
  readonly blockMs: number
  readonly settings: { readonly pollIntervalMs: number; readonly endpointCheckMs: number }
  readonly depository: string
  /** Absent: heads are polled alone. */
  readonly stream?: StreamParts
  readonly questions: Questions
  readonly payments: AccountPayments<Node>
}

/** Members of the reader that a question becomes. */
interface Answered {
  readonly gainOf: 'accountGain'
  readonly recipient: 'recipientStatus'
  readonly token: 'readToken'
  readonly verify: 'verifyContracts' | 'providerViews'
}

/** A reader that surely has the members of its questions. */
export type AccountReader<Questions> = AdapterReader &
  Required<
    Pick<
      AdapterReader,
      'poke' | 'cursorAt' | 'endpoints' | 'onDisagreement' | Answered[keyof Questions & keyof Answered]
    >
  >

/** Ports of an adapter: `defineAdapter({ reader, payouts: { lane, ... } })`. */
export interface AccountChain<Node, Questions> {
  readonly reader: AccountReader<Questions>
  readonly lane: SequenceLane<Node>
}

/**
 * Wires the kit's parts for a chain of accounts with numbers whose nodes list an account's transactions. One monitor, one pace of heads and one
 * follower serve reading and paying.
 */
export const accountChain = <
  Client,
  Node extends Endpoint<Client>,
  Transaction,
  Questions extends AccountQuestions<Node, Transaction>,
>(
  parts: AccountChainParts<Client, Node, Transaction, Questions>,
): AccountChain<Node, Questions> => {
  const { config, logger, pool, settings, depository, stream: streamed } = parts
  const { settle } = config.confirmations
  const pace = new HeadPace(parts.blockMs)
  const monitor: EndpointMonitor<Client> = new EndpointMonitor({
    ...{ pool, pace, logger, probe: parts.probe, intervalMs: settings.endpointCheckMs },
    headTime: () => ledger.heads.latest?.time ?? null,
  })
  const ledger: IndexedLedger<Node, Transaction> = new IndexedLedger({
    ...{ ...parts, monitor, pace, settle, account: depository, pollIntervalMs: settings.pollIntervalMs },
    isLive: () => stream?.isLive === true,
  })
  const stream: NodeStream | null =
    streamed === undefined
      ? null
      : new NodeStream({
          ...{ ...streamed, endpoints: config.rpc, pool, logger },
          onHead: (head) => ledger.heads.push(head),
          onHint: () => ledger.wake.hint(),
        })
  const shell = new AdapterShell<Node>({
    ...{ config, logger, pool, monitor, heads: ledger.heads },
    ask: (node) => parts.source.head(node),
    follow: (signal) => {
      stream?.open(signal)
      ledger.heads.start()
    },
    wake: () => ledger.wake.hint(),
  })
  const { start, stop, tip, onHead, poke, endpoints, onDisagreement } = shell
  const { watch, cursorAt, recheckDeposits, confirmDeposit, findTransaction } = ledger
  const reader: AdapterReader = {
    ...{ start, stop, tip, onHead, poke, endpoints, onDisagreement },
    ...{ watch, cursorAt, recheckDeposits, confirmDeposit, findTransaction },
    ...asked(parts, pace),
  }
  const lane = accountLane(parts.payments, { pool, monitor, settle, heads: ledger.heads })
  // CAST: `asked` has a member for each question.
  return { reader: reader as AccountReader<Questions>, lane }
}

/** Members of the reader that put a question to the nodes in order. */
const asked = <Client, Node extends Endpoint<Client>, Transaction>(
  { pool, source, questions }: AccountChainParts<Client, Node, Transaction>,
  pace: HeadPace,
) => {
  const { balances, gainOf, recipient, token, verify } = questions
  return {
    getBalances: (queries) =>
      askInOrder(pool, async (node) => {
        const found = await balances(node, queries)
        requireExplained(found.height, pace)
        return found
      }),
    ...(recipient && { recipientStatus: (to, currency) => askInOrder(pool, (node) => recipient(node, to, currency)) }),
    ...(token && { readToken: (currency) => askInOrder(pool, (node) => token(node, currency)) }),
    ...(gainOf && {
      accountGain: (tx, account) =>
        askInOrder(pool, async (node) => {
          const [found = null] = await source.transactions(node, [tx])
          return found === null || found === 'forgotten' ? null : gainOf(found, account)
        }),
    }),
    ...(verify && {
      verifyContracts: (expected) => askInOrder(pool, (node) => verify(node, expected)),
      providerViews: () => ({
        providerCount: pool.providerCount,
        providers: pool.providers.map((node) => ({
          provider: node.provider,
          ...(token && { readTokens: (currencies) => Promise.all(currencies.map((each) => token(node, each))) }),
          verifyContracts: (expected) => verify(node, expected),
        })),
      }),
    }),
  } satisfies Partial<AdapterReader>
}

export interface AccountLaneParts<Node> extends Pick<SequenceLaneDeps<Node>, 'pool' | 'monitor' | 'settle'> {
  /** The newest block from memory, null before there is one, and asked for. */
  readonly heads: { readonly latest: BlockRef | null; tip(): Promise<BlockRef> }
}

/** The lane of `accountChain` alone. */
export const accountLane = <Node>(
  { chain, order, lifetime, longestLifetime = lifetime, moment, pointOf = heightOf, ...extras }: AccountPayments<Node>,
  { pool, monitor, settle, heads }: AccountLaneParts<Node>,
): SequenceLane<Node> => {
  const known = async () => pointOf(await heads.tip())
  const validity = moment && new SequenceValidity({ pool, moment, longestLifetime, known })
  return new SequenceLane({
    ...{ chain, pool, monitor, order, lifetime, longestLifetime, settle },
    newest: () => heads.latest && pointOf(heads.latest),
    extras: { ...extras, ...(validity && { validity }) },
  })
}

const heightOf = ({ height }: BlockRef): bigint => height
