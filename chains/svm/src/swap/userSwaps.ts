import { BoundedCache, ServiceError, systemClock } from '@causeway/core'
import type { SwapOrder } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { StepData } from '../deposit/stepData.js'
import type { MintInfo } from '../read/token/mintInfo.js'
import type { MintReader } from '../read/token/mintReader.js'
import { associatedTokenAddress, createTokenAccount } from '../read/token/tokenAccounts.js'
import { checkSource } from './sourceRules.js'
import type { SwapSources } from './swapSources.js'
import { mintOf, unwrapSol, WRAPPED_SOL, wrapSol } from './wrappedSol.js'

export interface UserSwapTerms {
  readonly user: string
  /** Pays fee and rent in place of the user. */
  readonly feePayer?: string
  /** Who gets tokens of the output; absent: the user. Lamports always arrive at the user. */
  readonly recipient?: string
}

export interface UserSwapsDeps {
  readonly sources: SwapSources
  readonly mints: MintReader
}

/** A price and a quote right after it ask for the same. */
const KEPT_MS = 10_000
const MAX_KEPT = 500

type Mint = Pick<MintInfo, 'address' | 'programId'>

/** Swaps as instructions that the user alone signs. Lamports are wrapped and unwrapped here, never by a source. */
export class UserSwaps {
  readonly #deps: UserSwapsDeps
  readonly #kept = new BoundedCache<StepData>({ clock: systemClock, maxEntries: MAX_KEPT, lifeOf: () => KEPT_MS })

  constructor(deps: UserSwapsDeps) {
    this.#deps = deps
  }

  /** @throws ServiceError SWAP_QUOTE_FAILED, UNSUPPORTED_CURRENCY */
  read(order: SwapOrder, terms: UserSwapTerms): Promise<StepData> {
    const { offer, minimumOut } = order
    const amounts = [offer.amountIn, offer.amountOut, minimumOut].join(' ')
    const key = JSON.stringify([terms, offer.source, offer.from, offer.to, amounts, offer.route])
    return this.#kept.get(key, () => this.#ask(order, terms))
  }

  async #ask(order: SwapOrder, { user, feePayer, recipient = user }: UserSwapTerms): Promise<StepData> {
    const { from, to, amountIn } = order.offer
    const payer = feePayer ?? user
    const [input, output] = await Promise.all([this.#mint(from), this.#mint(to)])
    const owner = to === NATIVE ? user : recipient
    const destination = owner === user ? {} : { destination: associatedTokenAddress(owner, output) }
    const route = await this.#deps.sources.instructions(order, { user, ...destination }, { fresh: false })
    const { creations, others } = checkSource([...route.setup, ...route.swap], {
      signer: user,
      untouchable: feePayer === undefined ? [] : [feePayer],
      programs: route.programs,
      input: { account: associatedTokenAddress(user, input), amount: amountIn },
    })
    const opened = [output.address, ...(from === NATIVE ? [WRAPPED_SOL.address] : [])]
    const wraps = from === NATIVE || to === NATIVE
    return {
      instructions: [
        createTokenAccount(payer, owner, output),
        ...creations
          .filter(({ address }) => owner !== user || !opened.includes(address))
          .map((mint) => createTokenAccount(payer, user, mint)),
        ...(from === NATIVE ? wrapSol({ payer, from: user, owner: user }, amountIn) : []),
        ...others,
        ...(wraps ? [unwrapSol(user, user)] : []),
      ],
      tables: route.tables,
    }
  }

  async #mint(currency: string): Promise<Mint> {
    if (currency === NATIVE) return WRAPPED_SOL
    const mint = await this.#deps.mints.read(mintOf(currency))
    if (mint === null) throw new ServiceError('UNSUPPORTED_CURRENCY', 'There is no token at the address of a currency.')
    return mint
  }
}
