import { randomBytes } from 'node:crypto'
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js'
import {
  approve,
  createAssociated,
  initializeAccount,
  syncNative,
  transfer,
} from '../../read/token/program/tokenInstructions.js'
import { ACCOUNT_SIZE } from '../../read/token/program/tokenLayouts.js'
import { associatedAddress, NATIVE_MINT } from '../../read/token/program/tokenPrograms.js'
import { accountOf, type LocalSvmAccount, type LocalSvmChain } from '../node/localSvm.js'
import type { Hop, Reserves } from './swapRoutes.js'

export interface SwapPoolOptions {
  /** Mints; wrapped SOL stands for SOL. */
  readonly mints: readonly [string, string]
  /** What the pool holds of each at the beginning, smallest unit. */
  readonly reserves: readonly [bigint, bigint]
  readonly feeBps?: number
  readonly label?: string
}

interface Side {
  readonly mint: PublicKey
  readonly program: PublicKey
  readonly vault: PublicKey
}

/** Tokens set aside for one swap: only its user may take them, and only these. */
interface Till {
  readonly account: PublicKey
  readonly side: Side
}

const TILL_LAMPORTS = 2_039_280
const FUNDS = 100_000_000_000n

/**
 * A pool of two real token accounts. Its authority is a key and no program, so the output of a swap is put into an account
 * of its own first, with the user as delegate: then the user's signature alone runs the swap.
 */
export class SwapPool {
  readonly id: string
  /** Accounts that its instructions name beside what they need, as those of real pools do. */
  readonly extras: readonly PublicKey[]
  readonly #chain: LocalSvmChain
  readonly #authority: LocalSvmAccount
  readonly #options: SwapPoolOptions
  readonly #sides: readonly Side[]
  #tills: Till[] = []
  #count = 0

  private constructor(
    chain: LocalSvmChain,
    authority: LocalSvmAccount,
    options: SwapPoolOptions,
    sides: readonly Side[],
    extras: number,
  ) {
    this.#chain = chain
    this.#authority = authority
    this.#options = options
    this.#sides = sides
    this.id = authority.address
    this.extras = Array.from({ length: extras }, () => Keypair.generate().publicKey)
  }

  static async open(chain: LocalSvmChain, options: SwapPoolOptions, extras: number): Promise<SwapPool> {
    const authority = accountOf(`0x${randomBytes(32).toString('hex')}`)
    await chain.fund(authority.address, FUNDS)
    const owner = authority.keypair.publicKey
    const sides: Side[] = []
    for (const [at, text] of options.mints.entries()) {
      const mint = new PublicKey(text)
      const program = (await chain.connection.getAccountInfo(mint))?.owner
      if (program === undefined) throw new Error(`There is no mint ${text}`)
      const vault = associatedAddress(mint, owner, program)
      await fill(chain, authority, { mint, program, vault }, options.reserves[at] ?? 0n)
      sides.push({ mint, program, vault })
    }
    return new SwapPool(chain, authority, options, sides, extras)
  }

  /** What is in it now, set-aside tokens that nobody took included. */
  async reserves(): Promise<Reserves> {
    const accounts = [...this.#sides.map(({ vault }) => vault), ...this.#tills.map(({ account }) => account)]
    const found = await this.#chain.connection.getMultipleAccountsInfo(accounts, 'confirmed')
    const held = found.map((account) => account?.data.readBigUInt64LE(64) ?? 0n)
    const amounts = this.#sides.map((_, at) => held[at] ?? 0n)
    for (const [at, { side }] of this.#tills.entries()) {
      const place = this.#sides.indexOf(side)
      amounts[place] = (amounts[place] ?? 0n) + (held[at + this.#sides.length] ?? 0n)
    }
    this.#tills = this.#tills.filter((_, at) => (held[at + this.#sides.length] ?? 0n) > 0n)
    const [first = 0n, second = 0n] = amounts
    const { mints, feeBps = 30, label = 'Pool' } = this.#options
    return { id: this.id, label, mints, amounts: [first, second], feeBps }
  }

  vaultOf(mint: string): PublicKey {
    return this.#side(mint).vault
  }

  /** Sets the output of a hop aside for a user; `take` moves it on. */
  async setAside({ outputMint, amountOut }: Hop, user: PublicKey) {
    const side = this.#side(outputMint)
    const owner = this.#authority.keypair.publicKey
    this.#count += 1
    const seed = `till ${this.#count}`
    const account = await PublicKey.createWithSeed(owner, seed, side.program)
    await this.#chain.send(this.#authority, [
      SystemProgram.createAccountWithSeed({
        fromPubkey: owner,
        newAccountPubkey: account,
        basePubkey: owner,
        seed,
        lamports: TILL_LAMPORTS,
        space: ACCOUNT_SIZE,
        programId: side.program,
      }),
      initializeAccount({ account, mint: side.mint, owner, program: side.program }),
      transfer({ source: side.vault, destination: account, owner, amount: amountOut, program: side.program }),
      approve({ account, delegate: user, owner, amount: amountOut, program: side.program }),
    ])
    this.#tills.push({ account, side })
    const take = (destination: PublicKey, amount = amountOut) =>
      transfer({ source: account, destination, owner: user, amount, program: side.program })
    return { account, take }
  }

  /** Moves the input of a hop from a user into the pool, naming the extra accounts. */
  pay({ inputMint, amountIn }: Hop, source: PublicKey, user: PublicKey): TransactionInstruction {
    const { vault, program } = this.#side(inputMint)
    const instruction = transfer({ source, destination: vault, owner: user, amount: amountIn, program })
    instruction.keys.push(...this.extras.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })))
    return instruction
  }

  programOf(mint: string): PublicKey {
    return this.#side(mint).program
  }

  /** A lookup table of everything that the pool's instructions name. */
  async openTable(): Promise<PublicKey> {
    const authority = this.#authority.keypair.publicKey
    const recentSlot = (await this.#chain.connection.getSlot('confirmed')) - 1
    const [create, table] = AddressLookupTableProgram.createLookupTable({ authority, payer: authority, recentSlot })
    const addresses = [...this.#sides.flatMap(({ vault, mint }) => [vault, mint]), ...this.extras]
    await this.#chain.send(this.#authority, [create])
    await this.#chain.send(this.#authority, [
      AddressLookupTableProgram.extendLookupTable({ payer: authority, authority, lookupTable: table, addresses }),
    ])
    await this.#chain.advance(2)
    return table
  }

  #side(mint: string): Side {
    const side = this.#sides.find((candidate) => candidate.mint.toBase58() === mint)
    if (side === undefined) throw new Error(`The pool does not hold ${mint}`)
    return side
  }
}

const fill = async (
  chain: LocalSvmChain,
  authority: LocalSvmAccount,
  { mint, program, vault }: Side,
  amount: bigint,
): Promise<void> => {
  if (!mint.equals(NATIVE_MINT)) return chain.fund(authority.address, amount, mint.toBase58())
  await chain.fund(authority.address, amount)
  const owner = authority.keypair.publicKey
  await chain.send(authority, [
    createAssociated({ payer: owner, owner, mint, program }),
    SystemProgram.transfer({ fromPubkey: owner, toPubkey: vault, lamports: amount }),
    syncNative(vault),
  ])
}
