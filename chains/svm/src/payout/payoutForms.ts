import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import type { SvmSettings } from '../options.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { MintInfo } from '../read/token/mintInfo.js'
import type { MintReader } from '../read/token/mintReader.js'
import { associatedTokenAddress, createTokenAccount } from '../read/token/tokenAccounts.js'
import { transferTokens } from '../read/token/tokenTransfer.js'
import { grossFor } from '../read/token/transferFee.js'
import { isNative } from './budget.js'
import { memoInstruction } from './memo/memoInstruction.js'
import { payoutMemo } from './memo/memoText.js'
import type { PayoutForm } from './payoutForm.js'
import type { RequestForm } from './requestForm.js'

export interface PayoutFormDeps {
  readonly mints: MintReader
  readonly accounts: AccountReader
  readonly settings: Pick<SvmSettings, 'depository' | 'depositoryProgram'>
  /** How withdrawals are made of the allocator's requests; null where it signs along instead. */
  readonly requests: RequestForm | null
}

/**
 * Instructions of a payout: the recipient's token account where it has to be created, the memo, the transfer. The memo stands
 * directly before the transfer, because accounts that demand one look there. A mint that keeps a fee gets so much more that
 * what was promised arrives.
 */
export class PayoutForms {
  readonly #deps: PayoutFormDeps

  constructor(deps: PayoutFormDeps) {
    this.#deps = deps
  }

  /** @throws ServiceError UNSUPPORTED_CURRENCY when the currency is no token */
  async build(payout: Payout, sequence: number, createAccount: boolean): Promise<PayoutForm> {
    const { requests } = this.#deps
    const mint = isNative(payout) ? null : await this.mintOf(payout)
    const { orderId, purpose } = payout
    const memo = memoInstruction(payoutMemo({ orderId, purpose, sequence }))
    if (purpose === 'withdraw' && requests !== null) return requests.build(payout, mint, memo, createAccount)
    const form = mint === null ? this.#native(payout) : await this.#token(payout, mint)
    const creates = mint !== null && createAccount ? [createTokenAccount(payout.from, payout.to.address, mint)] : []
    const instructions = [...creates, ...topupOf(payout), memo, form.transfer]
    return { ...form, mint, instructions, cosigner: this.#cosigner(payout) }
  }

  async mintOf({ money }: Payout): Promise<MintInfo> {
    const mint = await this.#deps.mints.read(money.currency)
    if (mint === null)
      throw new ServiceError('UNSUPPORTED_CURRENCY', 'There is no token at the address of this currency.')
    return mint
  }

  /** Withdrawals move what the depository holds, everything else what the solver holds. */
  #payer({ purpose, from }: Payout): string {
    return purpose === 'withdraw' ? this.#deps.settings.depository : from
  }

  #cosigner(payout: Payout): string | null {
    const payer = this.#payer(payout)
    return payer === payout.from ? null : payer
  }

  #native(payout: Payout) {
    const [source, destination] = [this.#payer(payout), payout.to.address] as const
    const transfer = SystemProgram.transfer({
      fromPubkey: new PublicKey(source),
      toPubkey: new PublicKey(destination),
      lamports: payout.money.amount,
    })
    return { transfer, source, destination }
  }

  async #token(payout: Payout, mint: MintInfo) {
    const [from, to] = [this.#payer(payout), payout.to.address] as const
    // What the depository gives back is what was booked; a promise to somebody else has to arrive whole.
    const { amount } = payout.money
    const sent = payout.purpose === 'withdraw' ? amount : grossFor(amount, mint.transferFee)
    const transfer = await transferTokens({ mint, from, to, amount: sent }, this.#deps.accounts)
    return { transfer, source: associatedTokenAddress(from, mint), destination: associatedTokenAddress(to, mint) }
  }
}

/** Lamports for the recipient beside the payment (wire.md G.1). */
export const topupOf = ({ from, to, topup = 0n }: Payout): TransactionInstruction[] => {
  const [fromPubkey, toPubkey] = [new PublicKey(from), new PublicKey(to.address)]
  return topup === 0n ? [] : [SystemProgram.transfer({ fromPubkey, toPubkey, lamports: topup })]
}
