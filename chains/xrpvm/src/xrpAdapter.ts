import type { Hex } from '@causeway/core'
import type {
  Capabilities,
  ChainAdapter,
  ChainDeps,
  ChainMoney,
  DepositRequest,
  Destination,
  Diagnosis,
  DiagnosisRequest,
  Payout,
  ProviderView,
  RecipientStatus,
  Simulation,
  TxRef,
} from '@causeway/core/chain'
import { askInOrder, capitalHexId } from '@causeway/core/chain-kit'
import { PLACEHOLDERS, readRecipient } from './account/recipients.js'
import { readTokenFacts } from './account/tokenFacts.js'
import { testAddressCodec } from './address/addressCodec.js'
import { isKeyless, validateAddress } from './address/addresses.js'
import { DROPS_DECIMALS, MAX_AMOUNT, payableAmount } from './currency/amounts.js'
import { normalizeCurrency } from './currency/currencies.js'
import { buildPaymentStep } from './deposit/depositBuilder.js'
import { diagnose } from './diagnose/diagnose.js'
import { verifyAccounts } from './diagnose/verifyAccounts.js'
import { gainOf } from './ledger/balanceChanges.js'
import { resolveOptions, type XrpOptions, type XrpSettings } from './options.js'
import { readFound, transactionCall } from './rpc/xrpNode.js'
import { type XrpHooks, type XrpParts, xrpParts } from './xrpParts.js'

const CAPABILITIES: Capabilities = {
  tokens: true,
  destinationCalls: false,
  simulation: 'full',
  bump: 'replace',
  mempoolVisibility: false,
  depositBinding: 'memo',
  destinationTag: true,
  maxOriginTxBytes: null,
  refundToDepositor: true,
  // What a validated ledger holds stays for ever (chains.md xrpvm 4).
  absoluteFinality: true,
  recipientLeast: true,
  depositoryFloat: true,
}

/** One configured XRP Ledger: what is its own is here, all else is parts of core's kit (`xrpParts`). */
export class XrpAdapter implements ChainAdapter {
  readonly vmType = 'xrpvm'
  readonly capabilities = CAPABILITIES
  readonly fillContract = null
  readonly maxAmount = MAX_AMOUNT
  readonly placeholders = PLACEHOLDERS
  readonly ownerless = isKeyless
  readonly normalizeCurrency = normalizeCurrency
  readonly checkTransactionId = capitalHexId
  readonly depository: string
  readonly moneyAccounts?: Readonly<Record<string, string>>
  readonly chainId: number
  readonly slug: string
  readonly native: ChainAdapter['native']
  readonly nativeDecimals = DROPS_DECIMALS
  readonly sameAddress: ChainAdapter['sameAddress']
  readonly start: ChainAdapter['start']
  readonly stop: ChainAdapter['stop']
  readonly tip: ChainAdapter['tip']
  readonly onHead: ChainAdapter['onHead']
  readonly poke: NonNullable<ChainAdapter['poke']>
  readonly endpoints: NonNullable<ChainAdapter['endpoints']>
  readonly onDisagreement: NonNullable<ChainAdapter['onDisagreement']>
  readonly watch: ChainAdapter['watch']
  readonly cursorAt: NonNullable<ChainAdapter['cursorAt']>
  readonly recheckDeposits: ChainAdapter['recheckDeposits']
  readonly confirmDeposit: ChainAdapter['confirmDeposit']
  readonly findTransaction: ChainAdapter['findTransaction']
  readonly getBalances: ChainAdapter['getBalances']
  readonly lane: ChainAdapter['lane']
  /** The bytes of the main network are core's own. */
  readonly addressCodec?: NonNullable<ChainAdapter['addressCodec']>
  readonly depositAddresses?: NonNullable<ChainAdapter['depositAddresses']>
  readonly #parts: XrpParts
  readonly #settings: XrpSettings
  readonly #config: ChainDeps['config']

  constructor(options: XrpOptions, deps: ChainDeps, hooks: XrpHooks = {}) {
    const settings = resolveOptions(options, deps.config.id)
    const parts = xrpParts(settings, deps, hooks)
    const { shell, ledger, deposits } = parts
    this.#parts = parts
    this.#settings = settings
    this.#config = deps.config
    this.depository = settings.depository
    const { depositAccount } = settings
    if (depositAccount !== null) this.moneyAccounts = { depositAccount }
    this.chainId = shell.chainId
    this.slug = shell.slug
    this.native = shell.native
    this.sameAddress = shell.sameAddress
    this.start = shell.start
    this.stop = shell.stop
    this.tip = shell.tip
    this.onHead = shell.onHead
    this.poke = shell.poke
    this.endpoints = shell.endpoints
    this.onDisagreement = shell.onDisagreement
    this.watch = ledger.watch
    this.cursorAt = ledger.cursorAt
    this.recheckDeposits = ledger.recheckDeposits
    this.confirmDeposit = ledger.confirmDeposit
    this.findTransaction = ledger.findTransaction
    this.getBalances = parts.balances
    this.lane = parts.lane
    if (settings.networkId !== 0) this.addressCodec = testAddressCodec(settings.networkId)
    if (deposits !== null) this.depositAddresses = deposits.addresses
  }

  validateAddress(text: string) {
    return validateAddress(text, this.#settings.networkId)
  }

  explorerPaths() {
    return { transaction: '/transactions/{TX_HASH}', address: '/accounts/{ADDRESS}', token: '/token/{ADDRESS}' }
  }

  /** The tag of whom is paid, four bytes; empty without one (chains.md xrpvm 2). */
  orderExtraData({ tag }: Destination): Hex {
    return tag === undefined ? '0x' : `0x${tag.toString(16).padStart(8, '0')}`
  }

  payable({ currency, amount }: ChainMoney): bigint {
    return payableAmount(currency, amount)
  }

  recipientStatus(to: Destination, currency: string): Promise<RecipientStatus> {
    const { depository } = this
    const { solver } = this.#config
    return askInOrder(this.#parts.rpc, (node) => readRecipient(node, { to, currency }, { depository, solver }))
  }

  estimateDepositFee(_request: DepositRequest) {
    return this.#parts.fees.depositFee()
  }

  estimatePayoutFee(payout: Payout, simulation?: Simulation) {
    return this.#parts.fees.payoutFee(payout, simulation)
  }

  simulate(payout: Payout): Promise<Simulation> {
    return this.#parts.simulator.simulate(payout)
  }

  buildDeposit({ from, money, orderId }: DepositRequest) {
    const { networkId, depository } = this.#settings
    const to = { address: depository }
    return buildPaymentStep({ from, to, money, orderId }, { rpc: this.#parts.rpc, chainId: this.chainId, networkId })
  }

  accountGain({ id }: TxRef, account: { readonly address: string; readonly currency: string }): Promise<bigint | null> {
    const call = transactionCall(id)
    return askInOrder(this.#parts.rpc, async (node) => {
      const [outcome] = await node.batch([call])
      const found = readFound(outcome, call)
      return found && gainOf(found, account)
    })
  }

  readToken(currency: string) {
    return askInOrder(this.#parts.rpc, (node) => readTokenFacts(node, currency))
  }

  verifyContracts(expected: Pick<DiagnosisRequest, 'allocator'>): Promise<readonly Diagnosis[]> {
    const settings = this.#settings
    return askInOrder(this.#parts.rpc, (node) => verifyAccounts(node, { config: this.#config, settings }, expected))
  }

  providerViews() {
    const { providers, providerCount } = this.#parts.rpc
    const deps = { config: this.#config, settings: this.#settings }
    return {
      providerCount,
      providers: providers.map(
        (node): ProviderView => ({
          provider: node.provider,
          readTokens: (currencies) => Promise.all(currencies.map((currency) => readTokenFacts(node, currency))),
          verifyContracts: (expected) => verifyAccounts(node, deps, expected),
        }),
      ),
    }
  }

  diagnose(request: DiagnosisRequest): Promise<readonly Diagnosis[]> {
    return diagnose(request, { rpc: this.#parts.rpc, config: this.#config, settings: this.#settings })
  }
}
