import { type Hex, ServiceError } from '@causeway/core'
import type {
  BlockRef,
  DirectCapability,
  DirectExecution,
  DirectFailure,
  DirectRequest,
  FeeQuote,
  RecipientStatus,
  StepItemDraft,
  TxRef,
} from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { type AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import type { LookupTables } from '../deposit/lookupTables.js'
import { countSignatures, refuseTooLarge } from '../deposit/measure.js'
import { encodeStepData, type StepData } from '../deposit/stepData.js'
import type { SvmSettings } from '../options.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from '../payout/fees/networkFees.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { MintReader } from '../read/token/mintReader.js'
import { missingAccountsRent } from '../read/token/missingAccounts.js'
import { ACCOUNT_SIZE } from '../read/token/program/tokenLayouts.js'
import { netOf } from '../read/token/transferFee.js'
import type { HeadSource } from '../rpc/head/headSource.js'
import type { RpcTransaction } from '../rpc/wire.js'
import { proveUserSwap } from '../swap/userProof.js'
import type { UserSwaps } from '../swap/userSwaps.js'
import { WRAPPED_SOL } from '../swap/wrappedSol.js'
import { directInstructions } from './directInstructions.js'
import { directExecution, directFailure } from './findDirect.js'

export interface SvmDirectDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly settings: SvmSettings
  readonly fees: FeeSource
  readonly mints: MintReader
  readonly accounts: AccountReader
  readonly tables: LookupTables
  /** Null where the chain has no swap sources. */
  readonly swaps: Pick<UserSwaps, 'read'> | null
  /** Whether an address can receive a currency. */
  status(address: string, currency: string): Promise<RecipientStatus>
  /** A transaction with the confirmed block that holds it; null when there is none. */
  read(id: string): Promise<{ readonly transaction: RpcTransaction; readonly block: BlockRef } | null>
}

const FEE_VALID_MS = 5000
/** Compute units of an ordinary transfer, for estimates. */
const TRANSFER_UNITS = 50_000n
/** As long as any id. */
const SOME_ID: Hex = `0x${'f'.repeat(64)}`

const TEXTS = {
  send: { stepId: 'send', description: 'Sends the funds to the recipient' },
  wrap: { stepId: 'swap', description: 'Wraps the native currency' },
  unwrap: { stepId: 'swap', description: 'Unwraps the native currency' },
  swap: { stepId: 'swap', description: 'Swaps the funds' },
} as const

interface MeasuredDirect extends StepData {
  readonly lookups: readonly AddressLookupTableAccount[]
}

/** Sends that users execute alone on this chain (wire.md 1.4). */
export class SvmDirect implements DirectCapability {
  readonly kinds: DirectCapability['kinds']
  readonly #deps: SvmDirectDeps

  constructor(deps: SvmDirectDeps) {
    this.#deps = deps
    this.kinds = deps.swaps === null ? ['send', 'wrap', 'unwrap'] : ['send', 'wrap', 'unwrap', 'swap']
  }

  /** @throws ServiceError SOLANA_TX_TOO_LARGE, UNSUPPORTED_CURRENCY, SWAP_QUOTE_FAILED, INVALID_RECIPIENT */
  async estimateFee(request: Omit<DirectRequest, 'requestId'>): Promise<FeeQuote> {
    const { fees, mints } = this.#deps
    const { from, money, kind, currencyOut, swap } = request
    const [{ instructions }, price, mint] = await Promise.all([
      this.#measured({ ...request, requestId: SOME_ID }),
      fees.price([from]),
      kind === 'send' && money.currency !== NATIVE ? mints.read(money.currency) : null,
    ])
    const rent = await missingAccountsRent(instructions, this.#deps, currencyOut === WRAPPED_SOL.address)
    const signatures = BigInt(countSignatures(instructions, new PublicKey(from)))
    const amount = SIGNATURE_LAMPORTS * signatures + priorityFee(TRANSFER_UNITS + (swap?.offer.gas ?? 0n), price) + rent
    const currencyFee = money.amount - netOf(money.amount, mint?.transferFee ?? null)
    return {
      network: { currency: NATIVE, amount },
      validForMs: FEE_VALID_MS,
      ...(currencyFee === 0n ? {} : { currencyFee }),
    }
  }

  /** @throws ServiceError as `estimateFee`, and when a swap would do harm */
  async build(request: DirectRequest): Promise<readonly StepItemDraft[]> {
    const measured = await this.#measured(request)
    await this.#prove(request, measured)
    const shared = { kind: 'transaction', action: 'Confirm transaction in your wallet' } as const
    return [{ ...TEXTS[request.kind], ...shared, data: encodeStepData(measured) }]
  }

  async find(tx: TxRef, request: Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>): Promise<DirectExecution | null> {
    const seen = await this.#deps.read(tx.id)
    return seen === null ? null : directExecution(seen.transaction, seen.block, request)
  }

  async outcome(
    tx: TxRef,
    request: Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>,
  ): Promise<DirectExecution | DirectFailure | null> {
    const seen = await this.#deps.read(tx.id)
    if (seen === null) return null
    const { transaction, block } = seen
    return directFailure(transaction, block, request) ?? directExecution(transaction, block, request)
  }

  /** Instructions that somebody else wrote run with the user's signature. */
  async #prove(
    { from, recipient, money, currencyOut, swap }: DirectRequest,
    { instructions, lookups }: MeasuredDirect,
  ) {
    if (swap === undefined) return
    const mint = money.currency === NATIVE ? null : await this.#deps.mints.read(money.currency)
    const { programId } = mint ?? WRAPPED_SOL
    const gets = { owner: recipient, currency: currencyOut, amount: swap.minimumOut }
    const terms = { user: from, instructions, tables: lookups, spends: money, programId, gets }
    await proveUserSwap(terms, this.#deps.rpc)
  }

  async #measured(request: DirectRequest): Promise<MeasuredDirect> {
    const { fees, tables } = this.#deps
    const rent = () => fees.rent(ACCOUNT_SIZE)
    const [data] = await Promise.all([
      directInstructions(request, { ...this.#deps, depository: this.#deps.settings.depository, rent }),
      this.#requireRecipient(request),
    ])
    const lookups = await tables.read(data.tables)
    refuseTooLarge(data.instructions, new PublicKey(request.from), lookups)
    return { ...data, lookups }
  }
  async #requireRecipient({ from, recipient, currencyOut }: DirectRequest): Promise<void> {
    if (recipient === from) return
    const { canReceive, why } = await this.#deps.status(recipient, currencyOut)
    if (!canReceive) throw new ServiceError('INVALID_RECIPIENT', why ?? 'The recipient cannot receive this currency.')
  }
}
