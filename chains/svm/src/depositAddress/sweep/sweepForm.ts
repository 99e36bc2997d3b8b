import { type Hex, ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { saltOfDerivation } from '@causeway/core/chain-kit'
import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE, validateAddress } from '../../address/addresses.js'
import type { FeeSource } from '../../fees/feeSource.js'
import { memoInstruction } from '../../memo/memoInstruction.js'
import { payoutMemo } from '../../memo/memoText.js'
import type { SvmSettings } from '../../options.js'
import { budgetInstructions, MAX_UNITS } from '../../payout/budget.js'
import { excessBytes } from '../../payout/payoutBytes.js'
import { depositNative, depositToken } from '../../program/depositInstructions.js'
import { WRAPPED_SOL } from '../../swap/wrappedSol.js'
import type { AccountReader } from '../../token/accountReader.js'
import type { MintInfo } from '../../token/mintInfo.js'
import type { MintReader } from '../../token/mintReader.js'
import { closeAccount, harvestWithheld } from '../../token/program/tokenInstructions.js'
import { ACCOUNT_SIZE } from '../../token/program/tokenLayouts.js'
import {
  associatedTokenAddress,
  createTokenAccount,
  readTokenAccount,
  type TokenAccount,
} from '../../token/tokenAccounts.js'
import { transferTokens } from '../../token/tokenTransfer.js'
import type { SweepSigner } from '../addressKeys.js'
import { emptyLamports } from './emptyLamports.js'

/** A sweep as instructions, before computation is reserved. */
export interface SweepForm {
  readonly child: SweepSigner
  readonly instructions: readonly TransactionInstruction[]
  /** What is taken, the main currency first. Others are left for the next sweep where a transaction has no room for them. */
  readonly takes: readonly { readonly currency: string; readonly amount: bigint }[]
  /** Sizes of token accounts that the depository has not yet, and the lane opens. */
  readonly opens: readonly number[]
}

export interface SweepFormDeps {
  readonly mints: MintReader
  readonly accounts: AccountReader
  readonly fees: Pick<FeeSource, 'rent'>
  readonly settings: Pick<SvmSettings, 'depository' | 'depositoryProgram'>
  /** Configured tokens: an account of one of them that a sweep before has emptied is closed. */
  readonly tokens: readonly string[]
}

/** One currency that lies at an address. */
interface Lot {
  readonly currency: string
  readonly amount: bigint
  /** Null for lamports. */
  readonly mint: MintInfo | null
  readonly frozen: boolean
  /** Its account may hold a part of transfers that belongs to the mint (Token-2022). */
  readonly withholds: boolean
  /** Whether the depository has an account for it. */
  readonly opened: boolean
  /** The address has an account for it, which is empty and can be closed. */
  readonly isEmpty: boolean
}

/** A number no lane reaches, so that the memo has its greatest length. */
export const SOME_SEQUENCE = 9_999_999_999

const NOTHING = 'Nothing lies at the deposit address in this currency: it was swept before, or never came.'
const FROZEN = 'The issuer of this token has frozen the account of the deposit address.'

/**
 * Everything that lies at a deposit address, moved into the depository under the order id of the address: one transfer, or one
 * instruction of the depository program, for each currency. The address signs for its money alone; the lane pays. Lamports that come
 * after the accounts were read move along (`emptyLamports`); a depository program takes a fixed amount, so there they make the sweep fail.
 *
 * A token account is closed by a later sweep that finds it empty, never by the one that empties it: a unit that comes after the accounts
 * were read would make that one fail, again and again (faults.md F151). Whoever sends a unit to an account that is about to be closed
 * makes one sweep fail: the next one finds the unit and closes nothing. The rent goes to the lane, after what a fee of the token withheld
 * there went to the mint, since an account that holds any cannot be closed. An account of wrapped lamports stays: closing it would
 * take along what came after it was read.
 */
export class SweepForms {
  readonly #deps: SweepFormDeps

  constructor(deps: SweepFormDeps) {
    this.#deps = deps
  }

  /**
   * As it is now; `refused` says why nothing can be moved.
   * @throws ServiceError UNSUPPORTED_CURRENCY when the main currency is no token; SERVICE_UNAVAILABLE when it is no sweep of this pool
   */
  async build(payout: Payout, sequence: number): Promise<SweepForm | { readonly refused: string }> {
    const { address, currencies } = sweepOf(payout)
    const child = signerOf(payout)
    const wanted = new Set([payout.money.currency, ...currencies])
    const lots = await this.#lots(child.address, [...new Set([...wanted, ...this.#deps.tokens])])
    const [main, ...others] = lots
    if (main === undefined || main.currency !== payout.money.currency) {
      throw new ServiceError('UNSUPPORTED_CURRENCY', 'There is no token at the address of this currency.')
    }
    if (main.amount === 0n) return { refused: NOTHING }
    if (main.frozen) return { refused: FROZEN }
    const { depositoryProgram } = this.#deps.settings
    const depositor = validateAddress(address.depositor).ok ? address.depositor : child.address
    const credited = depositoryProgram === null ? { depositor } : {}
    const text = payoutMemo({ orderId: address.orderId, purpose: 'sweep', sequence, ...credited })
    const memo = memoInstruction(text)
    const steps = await Promise.all(
      [main, ...others.filter((lot) => wanted.has(lot.currency) && isMovable(lot))].map(async (lot) => ({
        lot,
        ...(await this.#step(lot, { payer: payout.from, child: child.address, orderId: address.orderId, depositor })),
      })),
    )
    const closes = closing({ payer: payout.from, child: child.address }, lots.find(({ isEmpty }) => isEmpty) ?? null)
    const taken = fitting(steps, memo, payout.from)
    const moves = instructionsOf(taken, memo)
    const all = [...moves, ...closes]
    return {
      child,
      instructions: hasRoom(all, payout.from) ? all : moves,
      takes: taken.map(({ lot: { currency, amount } }) => ({ currency, amount })),
      opens: taken.flatMap(({ lot: { mint, opened } }) => (mint === null || opened ? [] : [mint.tokenAccountBytes])),
    }
  }

  /** Currencies in the order given; what is no token is left out. */
  async #lots(child: string, currencies: readonly string[]): Promise<readonly Lot[]> {
    const { mints, accounts, settings } = this.#deps
    const infos = await mints.readMany(currencies.filter((currency) => currency !== NATIVE))
    const known = currencies.flatMap((currency) => {
      const mint = infos.get(currency) ?? null
      if (currency !== NATIVE && mint === null) return []
      const [held, ours] = mint === null ? [child, null] : ataPair(child, settings.depository, mint)
      return [{ currency, mint, held, ours }]
    })
    const found = await accounts.read(known.flatMap(({ held, ours }) => (ours === null ? [held] : [held, ours])))
    let at = 0
    return known.map(({ currency, mint, ours }): Lot => {
      const account = found[at++] ?? null
      const own = ours === null ? null : (found[at++] ?? null)
      if (mint === null) return { ...LAMPORTS, currency, amount: BigInt(account?.lamports ?? 0) }
      const token = readTokenAccount(account)
      const amount = token?.owner === child ? token.amount : 0n
      // An account that is somebody else's counts as missing: opening it then fails, before any money moves.
      const opened = ours !== null && readTokenAccount(own)?.owner === settings.depository
      return {
        ...{ currency, mint, amount, opened },
        frozen: token?.frozen ?? false,
        withholds: token?.withholds ?? false,
        isEmpty: token !== null && isClosable(token, child) && mint.address !== WRAPPED_SOL.address,
      }
    })
  }

  async #step(
    { mint, amount, opened }: Lot,
    terms: { readonly payer: string; readonly child: string; readonly orderId: Hex; readonly depositor: string },
  ): Promise<SweepStep> {
    const { accounts, fees, settings } = this.#deps
    const { depository, depositoryProgram: program } = settings
    const { payer, child, orderId, depositor } = terms
    // The program would open the depository's account at the cost of the address, which need not hold lamports.
    const opens = mint === null || opened ? [] : [createTokenAccount(payer, depository, mint)]
    if (program !== null) {
      const deposit = { program, sender: child, depositor, amount, orderId }
      return { opens, moves: [mint === null ? depositNative(deposit) : depositToken({ ...deposit, mint })] }
    }
    if (mint === null) {
      const rent = await fees.rent(ACCOUNT_SIZE)
      return { opens, moves: emptyLamports({ from: child, to: depository, lamports: amount, rent }) }
    }
    return { opens, moves: [await transferTokens({ mint, from: child, to: depository, amount }, accounts)] }
  }
}

interface SweepStep {
  readonly opens: readonly TransactionInstruction[]
  readonly moves: readonly TransactionInstruction[]
}

/** Nothing that is taken along may keep the main currency from moving. */
const isMovable = ({ amount, frozen, mint }: Lot): boolean => amount > 0n && !frozen && mint?.nonTransferable !== true

/** What a payout says of its sweep. @throws ServiceError SERVICE_UNAVAILABLE when it says nothing */
export const sweepOf = ({ sweep }: Payout): NonNullable<Payout['sweep']> => {
  if (sweep === undefined) throw new ServiceError('SERVICE_UNAVAILABLE', 'A sweep must name its deposit address.')
  return sweep
}

const signerOf = (payout: Payout): SweepSigner => {
  const { destination, derivation } = sweepOf(payout).address
  const salt = saltOfDerivation(derivation)
  if (salt === null) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The deposit address is none of this chain: it has no salt.')
  }
  return { address: destination.address, salt }
}

/** The main currency and so many of the others as one transaction has room for. */
const fitting = <Step extends SweepStep>(
  steps: readonly Step[],
  memo: TransactionInstruction,
  payer: string,
): readonly Step[] => {
  const taken: Step[] = []
  for (const step of steps) {
    const more = [...taken, step]
    if (taken.length === 0 || hasRoom(instructionsOf(more, memo), payer)) taken.push(step)
  }
  return taken
}

const hasRoom = (instructions: readonly TransactionInstruction[], payer: string): boolean =>
  excessBytes([...budgetInstructions(MAX_UNITS, 0n), ...instructions], payer) === 0

/** Whether the address alone can close an account of its own now. */
const isClosable = ({ amount, frozen, owner, closer }: TokenAccount, child: string): boolean =>
  amount === 0n && !frozen && owner === child && (closer === null || closer === child)

/** The memo stands directly before the first transfer, since accounts that demand one look there. */
const instructionsOf = (steps: readonly SweepStep[], memo: TransactionInstruction): TransactionInstruction[] => [
  ...steps.flatMap(({ opens }) => opens),
  memo,
  ...steps.flatMap(({ moves }) => moves),
]

/** Closes one account, so that the units which a sweep reserves are enough for it too. */
const closing = (
  { payer, child }: { readonly payer: string; readonly child: string },
  lot: Lot | null,
): readonly TransactionInstruction[] => {
  if (lot === null || lot.mint === null) return []
  const { mint, withholds } = lot
  const held = new PublicKey(associatedTokenAddress(child, mint))
  const program = new PublicKey(mint.programId)
  const harvest = withholds ? [harvestWithheld(new PublicKey(mint.address), [held])] : []
  const [destination, owner] = [new PublicKey(payer), new PublicKey(child)]
  return [...harvest, closeAccount({ account: held, destination, owner, program })]
}

const ataPair = (child: string, depository: string, mint: MintInfo): readonly [string, string] => [
  associatedTokenAddress(child, mint),
  associatedTokenAddress(depository, mint),
]

const LAMPORTS = { mint: null, frozen: false, withholds: false, opened: true, isEmpty: false } as const
