import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { type AddressLookupTableAccount, Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import type { LookupTables } from '../deposit/lookupTables.js'
import type { SvmSettings } from '../options.js'
import type { MintInfo } from '../read/token/mintInfo.js'
import type { MintReader } from '../read/token/mintReader.js'
import { closeAccount, transferChecked } from '../read/token/program/tokenInstructions.js'
import { associatedTokenAddress, createTokenAccount } from '../read/token/tokenAccounts.js'
import { checkSource } from '../swap/sourceRules.js'
import type { SwapSources } from '../swap/swapSources.js'
import { unwrapSol, WRAPPED_SOL, wrapSol } from '../swap/wrappedSol.js'
import { memoInstruction } from './memo/memoInstruction.js'
import { payoutMemo } from './memo/memoText.js'
import { topupOf } from './payoutForms.js'

/** A payment through a swap as instructions, before computation is reserved. */
export interface SwapForm {
  readonly instructions: readonly TransactionInstruction[]
  readonly tables: readonly AddressLookupTableAccount[]
  /** Owns the input for the length of the transaction, and signs for the source's instructions in place of the solver. */
  readonly escrow: Keypair
  /** Null for the native currency. */
  readonly output: MintInfo | null
  /** Where the output arrives: the recipient's token account, or the recipient. */
  readonly destination: string
  /** Instructions up to this place move the solver's own money and nothing else. */
  readonly funding: number
}

export interface SwapFormDeps {
  readonly sources: SwapSources
  readonly mints: MintReader
  readonly tables: LookupTables
  readonly settings: Pick<SvmSettings, 'depository'>
}

type Mint = Pick<MintInfo, 'address' | 'programId'>

/**
 * Pays by a swap that somebody else wrote. The solver's key signs for nothing of it: the money is first moved into an
 * account of a key made for this one transaction, whose instructions may not even name the solver. So the chain itself
 * bounds what can be lost to the payment. Whatever is left there makes the whole transaction fail.
 */
export class SwapForms {
  readonly #deps: SwapFormDeps

  constructor(deps: SwapFormDeps) {
    this.#deps = deps
  }

  /** @throws ServiceError SWAP_QUOTE_FAILED, UNSUPPORTED_CURRENCY, INVALID_REQUEST */
  async build(payout: Payout, sequence: number): Promise<SwapForm> {
    const { from, to, money, swap, orderId, purpose } = payout
    if (swap?.offer.from !== money.currency || payout.calls.length > 0 || purpose === 'withdraw') {
      throw new ServiceError('UNSUPPORTED_CURRENCY', 'This payment cannot be made through a swap.')
    }
    const [input, output] = await Promise.all([this.#read(money.currency), this.#read(swap.offer.to)])
    if (input !== null && !isPlain(input)) {
      throw new ServiceError('UNSUPPORTED_CURRENCY', 'A token with rules of its own cannot be swapped in a payment.')
    }
    const escrow = Keypair.generate()
    const owner = escrow.publicKey.toBase58()
    const [paid, bought] = [input ?? WRAPPED_SOL, output ?? WRAPPED_SOL]
    const receiver = output === null ? owner : to.address
    const destination = associatedTokenAddress(receiver, bought)
    const route = await this.#deps.sources.instructions(
      swap,
      { user: owner, destination },
      { fresh: true, amountIn: money.amount },
    )
    const { creations, others } = checkSource([...route.setup, ...route.swap], {
      signer: owner,
      untouchable: [from, this.#deps.settings.depository],
      programs: route.programs,
      input: { account: associatedTokenAddress(owner, paid), amount: money.amount },
    })
    const opened = creations.filter(
      ({ address }) => address !== paid.address && (output !== null || address !== bought.address),
    )
    const fund = fundEscrow(payout, owner, input)
    const instructions = [
      ...fund,
      ...topupOf(payout),
      createTokenAccount(from, receiver, bought),
      ...opened.map((mint) => createTokenAccount(from, owner, mint)),
      // Accounts that demand a memo look directly before the transfer.
      memoInstruction(payoutMemo({ orderId, purpose, sequence })),
      ...others,
      ...[paid, ...opened].map((mint) => close(owner, from, mint)),
      ...(output === null ? [unwrapSol(owner, to.address)] : []),
    ]
    const tables = await this.#deps.tables.read(route.tables)
    return {
      instructions,
      tables,
      escrow,
      output,
      destination: output === null ? to.address : destination,
      funding: fund.length,
    }
  }

  async #read(currency: string): Promise<MintInfo | null> {
    if (currency === NATIVE) return null
    const mint = await this.#deps.mints.read(currency)
    if (mint === null) throw new ServiceError('UNSUPPORTED_CURRENCY', 'There is no token at the address of a currency.')
    return mint
  }
}

const isPlain = ({ transferFee, hookProgram, nonTransferable }: MintInfo): boolean =>
  transferFee === null && hookProgram === null && !nonTransferable

const fundEscrow = ({ from, money }: Payout, owner: string, mint: MintInfo | null): TransactionInstruction[] => {
  if (mint === null) return wrapSol({ payer: from, from, owner }, money.amount)
  const [source, target] = [from, owner].map((holder) => new PublicKey(associatedTokenAddress(holder, mint)))
  if (source === undefined || target === undefined) throw new Error('Two accounts are needed.')
  const { address, decimals, programId } = mint
  return [
    createTokenAccount(from, owner, mint),
    transferChecked({
      source,
      mint: new PublicKey(address),
      destination: target,
      owner: new PublicKey(from),
      amount: money.amount,
      decimals,
      program: new PublicKey(programId),
    }),
  ]
}

/** Gives the rent back; fails while tokens are left, and the whole transaction with it. */
const close = (owner: string, to: string, mint: Mint): TransactionInstruction =>
  closeAccount({
    account: new PublicKey(associatedTokenAddress(owner, mint)),
    destination: new PublicKey(to),
    owner: new PublicKey(owner),
    program: new PublicKey(mint.programId),
  })
