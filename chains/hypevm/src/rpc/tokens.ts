import type { ChainDeps } from '@causeway/core/chain'
import { answerOf, keptAnswers, strangeAnswer } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { PERPS, PERPS_PLACES, readCurrency, SPOT, USDC_DECIMALS } from '../address/addresses.js'
import { type Asked, askInfo } from './exchangeNode.js'
import { DEX, SYMBOL, TOKEN_ID } from './fields.js'

const PLACES = Type.Integer({ minimum: 0, maximum: 18 })
const readMeta = answerOf(
  Type.Object({
    tokens: Type.Array(
      Type.Object({
        ...{ name: SYMBOL, tokenId: TOKEN_ID, szDecimals: PLACES, weiDecimals: PLACES },
        ...{ index: Type.Integer({ minimum: 0 }), fullName: Type.Optional(Type.Union([Type.String(), Type.Null()])) },
      }),
    ),
  }),
)
const readDexs = answerOf(Type.Array(Type.Union([Type.Object({ name: DEX }), Type.Null()])))
const readPerps = answerOf(Type.Object({ collateralToken: Type.Optional(Type.Integer({ minimum: 0 })) }))

/** A token of the spot exchange. */
export interface SpotToken {
  readonly id: string
  readonly symbol: string
  readonly name: string
  readonly index: number
  /** Decimal places in the service (chains.md hypevm 4). */
  readonly decimals: number
  /** Decimal places of balances on the spot exchange. */
  readonly places: number
}

/** Tokens of the spot exchange. @throws ServiceError */
export const askTokens = async (asked: Asked): Promise<readonly SpotToken[]> =>
  (await askInfo(asked, 'spotMeta', readMeta)).tokens.map(
    ({ name, tokenId, szDecimals, weiDecimals, index, fullName }) => ({
      ...{ id: tokenId.toLowerCase(), symbol: name, name: fullName ?? name, index },
      ...{ decimals: szDecimals, places: weiDecimals },
    }),
  )

/** Token id of USDC on the spot exchange of a node: it tells the networks apart. */
export const askUsdc = async (asked: Asked): Promise<string | null> =>
  (await askTokens(asked)).find(({ symbol }) => symbol === 'USDC')?.id ?? null

/** Names of builders' exchanges. */
const askDexNames = async (asked: Asked): Promise<readonly string[]> =>
  (await askInfo(asked, 'perpDexs', readDexs)).flatMap((dex) => dex?.name ?? [])

/** Index of the token that an exchange for perpetuals counts in. USDC has index 0. */
const askCollateral = async (asked: Asked, dex: string): Promise<number> =>
  (await askInfo(asked, 'meta', readPerps, { dex })).collateralToken ?? 0

/** A currency with its units. */
export interface Asset {
  readonly currency: string
  readonly dex: string
  readonly tokenId: string
  readonly symbol: string
  readonly name: string
  /** Decimal places in the service, and in the ledger of its exchange. */
  readonly decimals: number
  readonly places: number
}

const KEPT_MS = 300_000
/** An unknown token may be new: the list is read again, at most so often. */
const FRESH_MS = 10_000

/** So long a token of a transfer may be missing in the list: a server may be behind. */
const UNKNOWN_MS = 3 * FRESH_MS

export interface AssetsDeps {
  readonly pool: Asked
  readonly spotUsdc: string
  readonly logger: Pick<ChainDeps['logger'], 'warn'>
  readonly unknownMs?: number
}

/** Tokens and exchanges as the API servers list them. Decimal places of a token never change. */
export class Assets {
  readonly #spotUsdc: string
  readonly #kept: () => Promise<readonly SpotToken[]>
  readonly #fresh: () => Promise<readonly SpotToken[]>
  readonly #collateral: (dex: string) => Promise<number | null>
  readonly #deps: AssetsDeps
  /** When a token of a transfer was first not found. */
  readonly #unknown = new Map<string, number>()

  constructor(deps: AssetsDeps) {
    const { pool, spotUsdc } = deps
    this.#deps = deps
    this.#spotUsdc = spotUsdc
    this.#kept = keptAnswers(KEPT_MS, () => askTokens(pool))
    this.#fresh = keptAnswers(FRESH_MS, () => askTokens(pool))
    this.#collateral = keptAnswers(
      KEPT_MS,
      async (dex) => ((await askDexNames(pool)).includes(dex) ? askCollateral(pool, dex) : null),
      100,
    )
  }

  /** Null: the exchange has no such token, or no such exchange counts in it. @throws ServiceError */
  async find(currency: string): Promise<Asset | null> {
    const { tokenId, dex } = readCurrency(currency)
    const id = tokenId ?? this.#spotUsdc
    const token = await this.#tokenWhere((one) => one.id === id)
    if (token === null) return null
    if (dex !== SPOT && dex !== PERPS && (await this.#collateral(dex)) !== token.index) return null
    return assetOf(token, currency, dex)
  }

  /**
   * The asset of a token that a transfer names by its symbol, or by symbol and id; null for one that no server lists after some time, so that
   * one transfer does not hold up all later ones.
   * @throws ServiceError also until then
   */
  async named(text: string, dex: string, currencyOf: (token: SpotToken) => string | null): Promise<Asset | null> {
    const [symbol, id] = text.split(':')
    const token = await this.#tokenWhere((one) => (id === undefined ? one.symbol === symbol : one.id === id))
    if (token === null) return this.#unlisted(text)
    const currency = currencyOf(token)
    return currency === null ? null : assetOf(token, currency, dex)
  }

  #unlisted(text: string): null {
    const { unknownMs = UNKNOWN_MS, logger } = this.#deps
    const now = performance.now()
    const first = this.#unknown.get(text)
    this.#unknown.set(text, first ?? now)
    if (now - (first ?? now) < unknownMs) throw strangeAnswer('a transfer of a token that is not listed')
    if (first !== Number.NEGATIVE_INFINITY)
      logger.warn({ token: text }, 'Transfers of a token that the exchange does not list are left out')
    this.#unknown.set(text, Number.NEGATIVE_INFINITY)
    return null
  }

  async #tokenWhere(matches: (token: SpotToken) => boolean): Promise<SpotToken | null> {
    return (await this.#kept()).find(matches) ?? (await this.#fresh()).find(matches) ?? null
  }
}

const assetOf = ({ id, symbol, name, decimals, places }: SpotToken, currency: string, dex: string): Asset => {
  const common = { currency, dex, tokenId: id, symbol, name }
  if (dex === SPOT) return { ...common, decimals, places }
  return { ...common, decimals: dex === PERPS ? USDC_DECIMALS : decimals, places: PERPS_PLACES }
}
