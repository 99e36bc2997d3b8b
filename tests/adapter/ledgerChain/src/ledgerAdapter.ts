import {
  type BlockRef,
  type ChainAdapter,
  type ChainDeps,
  type DepositEvidence,
  type DepositRequest,
  type Destination,
  type EndpointHealth,
  type FeeQuote,
  type Hex,
  type Json,
  type Payout,
  type RecipientStatus,
  ServiceError,
  type Simulation,
  type StepItemDraft,
  type TxRef,
} from '@causeway/core'
import { ledgerCodec, NATIVE, validateAddress } from './address.js'
import { blockRef, depositOf, watchDeposits } from './depositWatch.js'
import { EndpointWatch } from './endpointWatch.js'
import { Heads } from './heads.js'
import { LedgerLane } from './ledgerLane.js'
import { LedgerNode } from './ledgerNode.js'
import { type LedgerOptions, type LedgerSettings, resolveOptions } from './options.js'
import { FEE } from './transaction.js'

const ZERO = '0x0000000000000000000000000000000000000000'
const FEE_QUOTE: FeeQuote = { network: { currency: NATIVE, amount: FEE }, validForMs: 60_000 }

/** One configured ledger. */
export class LedgerAdapter implements ChainAdapter {
  readonly vmType = 'ledgervm'
  readonly chainId: number
  readonly slug: string
  readonly depository: string
  readonly fillContract = null
  readonly maxAmount = 2n ** 63n - 1n
  readonly addressCodec = ledgerCodec
  readonly native = { address: NATIVE, symbol: 'LDG', name: 'Ledger coin', decimals: 6 }
  readonly capabilities = {
    tokens: true,
    destinationCalls: false,
    simulation: 'full',
    bump: 'resign-after-expiry',
    mempoolVisibility: false,
    depositBinding: 'memo',
    depositAddress: [],
    destinationTag: false,
    maxOriginTxBytes: null,
    refundToDepositor: true,
  } as const
  readonly lane: LedgerLane
  readonly #node: LedgerNode
  readonly #heads: Heads
  readonly #endpoints: EndpointWatch
  readonly #settings: LedgerSettings

  constructor(options: LedgerOptions, deps: ChainDeps) {
    const { config, logger } = deps
    const settings = resolveOptions(options)
    this.#settings = settings
    this.chainId = config.id
    this.slug = config.slug
    this.depository = settings.depository
    this.#node = new LedgerNode(settings, deps)
    const parts = { node: this.#node, intervalMs: settings.pollIntervalMs, logger }
    this.#heads = new Heads(parts)
    this.#endpoints = new EndpointWatch(parts)
    const { settle } = config.confirmations
    this.lane = new LedgerLane({ node: this.#node, expiryBlocks: settings.expiryBlocks, settle })
  }

  validateAddress(text: string) {
    return validateAddress(text)
  }

  normalizeCurrency(text: string): string | null {
    if (text === ZERO) return NATIVE
    return validateAddress(text).ok ? text : null
  }

  sameAddress(left: string, right: string): boolean {
    return left === right
  }

  explorerPaths() {
    return { transaction: '/transfer/{TX_HASH}', address: '/account/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  orderExtraData(): Hex {
    return '0x'
  }

  async start(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => void this.stop(), { once: true })
    await this.#endpoints.start()
    this.#heads.start()
  }

  async stop(): Promise<void> {
    this.#endpoints.stop()
    this.#heads.stop()
    this.#node.rpc.close()
  }

  endpoints(): readonly EndpointHealth[] {
    return this.#endpoints.health()
  }

  async tip(): Promise<BlockRef> {
    return blockRef(await this.#node.head())
  }

  onHead(listener: (head: BlockRef) => void, signal: AbortSignal): void {
    this.#heads.onHead((head) => listener(blockRef(head)), signal)
  }

  getBalances(queries: readonly { readonly address: string; readonly currency: string }[]) {
    return this.#node.balances(queries)
  }

  async recipientStatus({ address }: Destination): Promise<RecipientStatus> {
    if (address !== this.depository) return { canReceive: true }
    return { canReceive: false, why: 'The depository is not a recipient.' }
  }

  async estimateDepositFee(): Promise<FeeQuote> {
    return FEE_QUOTE
  }

  async estimatePayoutFee(): Promise<FeeQuote> {
    return FEE_QUOTE
  }

  async simulate({ from, to, money }: Payout): Promise<Simulation> {
    const { currency, amount } = money
    try {
      const { height } = await this.#node.head()
      const reason = await this.#node.check({ from, to: to.address, currency, amount: amount.toString() })
      return reason === null ? { ok: true, gas: 1n, block: BigInt(height) } : refusalOf(reason)
    } catch (error) {
      if (ServiceError.is(error)) return { ok: false, kind: 'transient', message: error.message }
      throw error
    }
  }

  async buildDeposit({ from, money, orderId }: DepositRequest): Promise<readonly StepItemDraft[]> {
    const { currency, amount } = money
    const data = { from, to: this.depository, currency, amount: amount.toString(), memo: orderId }
    return [
      {
        stepId: 'deposit',
        kind: 'transaction',
        action: 'Confirm transaction in your wallet',
        description: 'Deposits the funds so that the transfer can be filled',
        data: { ...data, expiryBlocks: this.#settings.expiryBlocks },
      },
    ]
  }

  watch(cursor: Json, signal: AbortSignal) {
    return watchDeposits(cursor, signal, { node: this.#node, heads: this.#heads, depository: this.depository })
  }

  poke(): void {
    this.#heads.wake()
  }

  async recheckDeposits(deposits: readonly { readonly tx: TxRef; readonly position: number }[]) {
    const { records } = await this.#node.records(deposits.map(({ tx }) => tx.id))
    return deposits.map(({ tx, position }, at): DepositEvidence => {
      const record = records[at] ?? null
      const shared = { tx, position, source: 'ledger_record' }
      if (record?.status === 'failed') return { ...shared, finding: 'failed', reason: record.reason ?? 'It failed.' }
      const deposit = record === null || position !== 0 ? null : depositOf(record, this.depository)
      if (deposit === null) return { ...shared, finding: 'missing', reason: 'The ledger does not hold it.' }
      return { ...shared, finding: 'present', reason: 'The ledger holds it.', deposit }
    })
  }

  async confirmDeposit(
    claim: Parameters<ChainAdapter['confirmDeposit']>[0],
    { agreeing, confirmations = 1 }: { readonly agreeing: number; readonly confirmations?: number },
  ): Promise<boolean> {
    const asked = await Promise.allSettled(
      this.#node.rpc.providers.map(async (endpoint) => {
        const { head, records } = await this.#node.records([claim.tx.id], endpoint)
        const [record] = records
        const found = record === undefined || record === null ? null : depositOf(record, this.depository)
        if (found === null || found.block === null || claim.position !== 0) return false
        const deep = BigInt(head.height) - found.block.height + 1n >= BigInt(confirmations)
        const { currency, amount } = found.money
        const same = currency === claim.money.currency && amount === claim.money.amount
        return deep && same && found.orderId === claim.orderId
      }),
    )
    const answers = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    if (answers.length < agreeing) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too few nodes of this ledger answer. Try again later.')
    }
    return answers.filter((shown) => shown).length >= agreeing
  }

  async findTransaction({ id }: TxRef) {
    const record = await this.#node.record(id)
    if (record === null) return { status: 'unknown', block: null, depositOrderIds: [] } as const
    const orderId = depositOf(record, this.depository)?.orderId ?? null
    const status = record.status === 'failed' ? 'failure' : record.status
    const block = record.block === null ? null : blockRef(record.block)
    return { status, block, depositOrderIds: orderId === null ? [] : [orderId] } as const
  }
}

const refusalOf = (reason: string): Simulation =>
  reason === 'INSUFFICIENT'
    ? { ok: false, kind: 'insufficient-funds', message: 'The solver does not hold enough of this currency now.' }
    : reason === 'CLOSED'
      ? { ok: false, kind: 'recipient-cannot-receive', message: 'The account of the recipient is closed.' }
      : { ok: false, kind: 'revert', message: 'The ledger would refuse the payment.' }
