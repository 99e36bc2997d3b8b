import { BoundedCache, ServiceError, systemClock } from '@causeway/core'
import type { ChainMoney, DepositRequest, FeeQuote, StepItemDraft, SwapOrder } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { type AddressLookupTableAccount, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import type { SvmSettings } from '../options.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from '../payout/fees/networkFees.js'
import { memoInstruction } from '../payout/memo/memoInstruction.js'
import { depositMemo } from '../payout/memo/memoText.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { MintInfo } from '../read/token/mintInfo.js'
import type { MintReader } from '../read/token/mintReader.js'
import { missingAccountsRent } from '../read/token/missingAccounts.js'
import { associatedTokenAddress, createTokenAccount } from '../read/token/tokenAccounts.js'
import { transferTokens } from '../read/token/tokenTransfer.js'
import { netOf } from '../read/token/transferFee.js'
import { proveUserSwap } from '../swap/userProof.js'
import type { UserSwaps } from '../swap/userSwaps.js'
import { WRAPPED_SOL } from '../swap/wrappedSol.js'
import type { LookupTables } from './lookupTables.js'
import { countSignatures, refuseTooLarge } from './measure.js'
import { depositNative, depositToken } from './program/depositInstructions.js'
import { encodeStepData, type StepData } from './stepData.js'

export interface DepositBuilderDeps {
  readonly mints: MintReader
  readonly accounts: AccountReader
  readonly tables: LookupTables
  readonly fees: FeeSource
  readonly settings: Pick<SvmSettings, 'depository' | 'depositoryProgram'>
  readonly rpc: JsonRpcClient
  /** Null where the chain has no swap sources. */
  readonly swaps: Pick<UserSwaps, 'read'> | null
}

const FEE_VALID_MS = 5000
/** Compute units of an ordinary deposit, for estimates. */
const DEPOSIT_UNITS = 100_000n
const EXISTS_MS = 600_000
const MISSING_MS = 2_000
const MAX_ACCOUNTS = 1000

const DEPOSIT_TEXT = {
  stepId: 'deposit',
  kind: 'transaction',
  action: 'Confirm transaction in your wallet',
  description: 'Deposits the funds so that the transfer can be filled',
} as const

/** What the user signs: a transfer with a memo, or the depository program's own instruction (wire.md A.5 svm). */
export class DepositBuilder {
  readonly #deps: DepositBuilderDeps
  /** Whether the depository's token accounts exist, by mint. */
  readonly #opened = new BoundedCache<boolean>({
    clock: systemClock,
    maxEntries: MAX_ACCOUNTS,
    lifeOf: (exists) => (exists ? EXISTS_MS : MISSING_MS),
  })

  constructor(deps: DepositBuilderDeps) {
    this.#deps = deps
  }

  /** @throws ServiceError SOLANA_TX_TOO_LARGE, INVALID_REQUEST, UNSUPPORTED_CURRENCY, SWAP_QUOTE_FAILED */
  async build(request: DepositRequest): Promise<readonly StepItemDraft[]> {
    const measured = await this.#measured(request)
    if (request.originSwap !== undefined) await this.#prove(request, measured)
    return [{ ...DEPOSIT_TEXT, data: encodeStepData(measured) }]
  }

  /**
   * Lamports that the payer of one deposit loses: signatures, computation, and the rent of accounts that are missing; and
   * what a mint with a fee keeps of what is deposited.
   */
  async estimate(request: DepositRequest): Promise<FeeQuote> {
    const { fees, accounts, mints, settings } = this.#deps
    const { currency, amount: deposited } = depositedBy(request)
    const mint = currency === NATIVE ? null : await this.#mint(currency)
    const [{ instructions, swap }, price, rent] = await Promise.all([
      this.#measured(request),
      fees.price([settings.depository]),
      mint === null ? 0n : this.#missingRent(mint),
    ])
    const swapRent = await missingAccountsRent(
      swap.instructions,
      { accounts, mints, fees },
      currency === WRAPPED_SOL.address,
    )
    const signatures = BigInt(countSignatures(instructions, payerOf(request)))
    const units = DEPOSIT_UNITS + (request.originSwap?.offer.gas ?? 0n)
    const amount = SIGNATURE_LAMPORTS * signatures + priorityFee(units, price) + rent + swapRent
    const currencyFee = deposited - netOf(deposited, mint?.transferFee ?? null)
    return {
      network: { currency: NATIVE, amount },
      validForMs: FEE_VALID_MS,
      ...(currencyFee === 0n ? {} : { currencyFee }),
    }
  }

  async #measured(request: DepositRequest): Promise<MeasuredDeposit> {
    const { from, feePayer, originSwap } = request
    if (feePayer === from) {
      throw new ServiceError('INVALID_REQUEST', 'depositFeePayer must be another account than user.')
    }
    const [swap, deposit] = await Promise.all([
      originSwap === undefined ? NO_SWAP : this.#swap(originSwap, request),
      this.#deposit({ ...request, money: depositedBy(request) }),
    ])
    const lookups = await this.#deps.tables.read(swap.tables)
    const instructions = [...swap.instructions, ...deposit]
    refuseTooLarge(instructions, payerOf(request), lookups)
    return { instructions, tables: swap.tables, lookups, swap }
  }

  #swap(order: SwapOrder, { from, feePayer }: DepositRequest): Promise<StepData> {
    const { swaps } = this.#deps
    if (swaps === null) throw new ServiceError('NO_SWAP_ROUTES_FOUND', 'This chain has no swaps.')
    return swaps.read(order, { user: from, ...(feePayer === undefined ? {} : { feePayer }) })
  }

  /** Instructions that somebody else wrote run with the user's signature. */
  async #prove(
    { from, feePayer, originSwap }: DepositRequest,
    { instructions, lookups }: MeasuredDeposit,
  ): Promise<void> {
    if (originSwap === undefined) return
    const { from: currency, amountIn: amount } = originSwap.offer
    const terms = { user: from, instructions, tables: lookups, spends: { currency, amount } }
    const payer = feePayer === undefined ? {} : { feePayer }
    const mint = currency === NATIVE ? null : await this.#mint(currency)
    await proveUserSwap({ ...terms, ...payer, programId: (mint ?? WRAPPED_SOL).programId }, this.#deps.rpc)
  }

  async #deposit(request: DepositRequest): Promise<TransactionInstruction[]> {
    const { from, orderId, money } = request
    const mint = money.currency === NATIVE ? null : await this.#mint(money.currency)
    const program = this.#deps.settings.depositoryProgram
    if (program === null) return this.#transfer(request, mint)
    const terms = { program, sender: from, depositor: from, amount: money.amount, orderId }
    if (mint === null) return [depositNative(terms)]
    // The program would create the vault's account at the user's cost.
    const creates = request.feePayer === undefined ? [] : [this.#create(request.feePayer, mint)]
    return [...creates, depositToken({ ...terms, mint })]
  }

  async #transfer({ from, money, orderId, feePayer }: DepositRequest, mint: MintInfo | null) {
    const { depository } = this.#deps.settings
    const memo = memoInstruction(depositMemo(orderId))
    if (mint === null) {
      const [fromPubkey, toPubkey] = [new PublicKey(from), new PublicKey(depository)]
      return [SystemProgram.transfer({ fromPubkey, toPubkey, lamports: money.amount }), memo]
    }
    const { amount } = money
    const transfer = await transferTokens({ mint, from, to: depository, amount }, this.#deps.accounts)
    return [this.#create(feePayer ?? from, mint), transfer, memo]
  }

  #create(payer: string, mint: MintInfo): TransactionInstruction {
    return createTokenAccount(payer, this.#deps.settings.depository, mint)
  }

  async #mint(currency: string): Promise<MintInfo> {
    const mint = await this.#deps.mints.read(currency)
    if (mint === null)
      throw new ServiceError('UNSUPPORTED_CURRENCY', 'There is no token at the address of this currency.')
    if (mint.nonTransferable) throw new ServiceError('UNSUPPORTED_CURRENCY', 'This token cannot be transferred.')
    return mint
  }

  async #missingRent(mint: MintInfo): Promise<bigint> {
    const exists = await this.#opened.get(mint.address, async () => {
      const address = associatedTokenAddress(this.#deps.settings.depository, mint)
      const [account] = await this.#deps.accounts.read([address])
      return account?.owner === mint.programId
    })
    return exists ? 0n : this.#deps.fees.rent(mint.tokenAccountBytes)
  }
}

interface MeasuredDeposit extends StepData {
  readonly lookups: readonly AddressLookupTableAccount[]
  readonly swap: StepData
}

const NO_SWAP: StepData = { instructions: [], tables: [] }

const payerOf = ({ from, feePayer }: DepositRequest): PublicKey => new PublicKey(feePayer ?? from)

/** What reaches the depository: with a swap before it the least that the swap gives, the rest stays with the user. */
const depositedBy = ({ money, originSwap }: DepositRequest): ChainMoney =>
  originSwap === undefined ? money : { currency: money.currency, amount: originSwap.minimumOut }
