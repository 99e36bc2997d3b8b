import {
  BoundedCache,
  type DepositRequest,
  type FeeQuote,
  ServiceError,
  type StepItemDraft,
  systemClock,
} from '@causeway/core'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import type { FeeSource } from '../fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from '../fees/networkFees.js'
import { memoInstruction } from '../memo/memoInstruction.js'
import { depositMemo } from '../memo/memoText.js'
import type { SvmSettings } from '../options.js'
import { depositNative, depositToken } from '../program/depositInstructions.js'
import type { AccountReader } from '../token/accountReader.js'
import type { MintInfo } from '../token/mintInfo.js'
import type { MintReader } from '../token/mintReader.js'
import { associatedTokenAddress, createTokenAccount } from '../token/tokenAccounts.js'
import { transferTokens } from '../token/tokenTransfer.js'
import type { LookupTables } from './lookupTables.js'
import { countSignatures, MAX_TRANSACTION_BYTES, measureTransaction } from './measure.js'
import { decodeStepData, encodeStepData, type StepData } from './stepData.js'

export interface DepositBuilderDeps {
  readonly mints: MintReader
  readonly accounts: AccountReader
  readonly tables: LookupTables
  readonly fees: FeeSource
  readonly settings: Pick<SvmSettings, 'depository' | 'depositoryProgram'>
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

  /** @throws ServiceError SOLANA_TX_TOO_LARGE, INVALID_REQUEST, UNSUPPORTED_CURRENCY */
  async build(request: DepositRequest): Promise<readonly StepItemDraft[]> {
    return [{ ...DEPOSIT_TEXT, data: encodeStepData(await this.#measured(request)) }]
  }

  /** Lamports that the payer of one deposit loses: signatures, computation, and the rent of an account that is missing. */
  async estimate(request: DepositRequest): Promise<FeeQuote> {
    const { fees } = this.#deps
    const { currency } = request.money
    const [{ instructions }, price, rent] = await Promise.all([
      this.#measured(request),
      fees.price([this.#deps.settings.depository]),
      currency === NATIVE ? 0n : this.#missingRent(await this.#mint(currency)),
    ])
    const signatures = BigInt(countSignatures(instructions, payerOf(request)))
    const amount = SIGNATURE_LAMPORTS * signatures + priorityFee(DEPOSIT_UNITS, price) + rent
    return { network: { currency: NATIVE, amount }, validForMs: FEE_VALID_MS }
  }

  async #measured(request: DepositRequest): Promise<StepData> {
    if (request.feePayer === request.from) {
      throw new ServiceError('INVALID_REQUEST', 'depositFeePayer must be another account than user.')
    }
    const swap = request.originSwap === undefined ? NO_SWAP : decodeStepData(request.originSwap.offer.route)
    const [deposit, tables] = await Promise.all([this.#deposit(request), this.#deps.tables.read(swap.tables)])
    const instructions = [...swap.instructions, ...deposit]
    refuseForeignSigners(swap.instructions, request)
    const size = measureTransaction(instructions, payerOf(request), tables)
    if (size > MAX_TRANSACTION_BYTES) throw tooLarge(size)
    return { instructions, tables: swap.tables }
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

const NO_SWAP: StepData = { instructions: [], tables: [] }

const payerOf = ({ from, feePayer }: DepositRequest): PublicKey => new PublicKey(feePayer ?? from)

/** Only the user and the fee payer sign. */
const refuseForeignSigners = (swap: readonly TransactionInstruction[], { from, feePayer }: DepositRequest): void => {
  for (const { keys } of swap) {
    for (const { pubkey, isSigner } of keys) {
      const signer = pubkey.toBase58()
      if (isSigner && signer !== from && signer !== feePayer) {
        throw new ServiceError('INVALID_REQUEST', `The swap before this deposit needs the signature of ${signer}.`)
      }
    }
  }
}

/** specification.md: the message reports the measured size and the excess, and what keeps the size down. */
const tooLarge = (size: number): ServiceError =>
  new ServiceError(
    'SOLANA_TX_TOO_LARGE',
    `The deposit transaction has ${size} bytes, ${size - MAX_TRANSACTION_BYTES} more than the ${MAX_TRANSACTION_BYTES} that Solana allows. A lower maxRouteLength or fewer includedOriginSwapSources make it smaller.`,
    { data: { errorData: { size, limit: MAX_TRANSACTION_BYTES, excess: size - MAX_TRANSACTION_BYTES } } },
  )
