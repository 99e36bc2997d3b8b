import type { Knex } from 'knex'
import type { QueryBuilder } from 'objection'
import type { CatalogueCurrency } from './catalogueCurrency.js'
import type { CurrencyFilter, TokenPlace } from './currencyFilter.js'
import { CurrencyModel } from './currencyModel.js'
import { toCurrency } from './importedListing.js'

type Query = QueryBuilder<CurrencyModel>

/** Rows among which a text in the middle of a symbol or name is looked for, best ones first. */
const CONTAINS_WINDOW = 20_000

/** Rows beginning with a text that are sorted; where there are more, they are read in order instead. */
const BEGINNING_WINDOW = 5000

const ORDER = [
  { column: 'listed', order: 'desc' as const },
  { column: 'verified', order: 'desc' as const },
  { column: 'symbol_key' },
  { column: 'chain_id' },
  { column: 'address' },
]

/** A set of places as two array parameters. */
const PLACES = '(select * from unnest(?::bigint[], ?::text[]))'
const columnsOf = (places: readonly TokenPlace[]): [number[], string[]] => [
  places.map(({ chainId }) => chainId),
  places.map(({ address }) => address),
]

const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** That symbol, name or address compares so. */
const anyKey =
  (operator: '=' | 'like', text: string) =>
  (either: Query): void => {
    either
      .where('symbol_key', operator, text)
      .orWhere('name_key', operator, text)
      .orWhere('address_key', operator, text)
  }

const fromRow = (row: CurrencyModel): CatalogueCurrency => ({
  currency: toCurrency(row),
  held: false,
  listed: row.listed,
  // What is paid to an address is deposited as it is, and only what the solver holds can be.
  depositAddress: false,
})

/** Search in the imported currencies; every query is bounded by the filter's limit. */
export class CurrencyTable {
  readonly #db: Knex
  readonly #hidden: [number[], string[]]

  /** `held`: currencies of the configuration, whose imported rows are passed over. */
  constructor(deps: { readonly db: Knex; readonly held: readonly TokenPlace[] }) {
    this.#db = deps.db
    this.#hidden = columnsOf(deps.held)
  }

  /** Best matches first, at most `limit`; four statements at most. */
  async search(filter: CurrencyFilter): Promise<readonly CatalogueCurrency[]> {
    if (filter.depositAddressOnly || filter.chainIds.length === 0 || filter.places?.length === 0) return []
    const { term, limit } = filter
    if (term === undefined) return (await this.#filtered(filter).orderBy(ORDER).limit(limit)).map(fromRow)
    const found = await this.#equal(filter, term).limit(limit)
    if (found.length < limit) found.push(...(await this.#beginning(filter, term, limit - found.length)))
    if (found.length < limit) found.push(...(await this.#containing(filter, term).limit(limit - found.length)))
    return found.map(fromRow)
  }

  #filtered(filter: CurrencyFilter): Query {
    const query = CurrencyModel.query(this.#db).whereIn('chain_id', filter.chainIds)
    if (this.#hidden[0].length > 0) {
      query.whereRaw(`(chain_id, address) not in ${PLACES}`, [...this.#hidden])
    }
    if (filter.groupIds) query.whereIn('group_id', filter.groupIds)
    if (filter.verified !== undefined) query.where('verified', filter.verified)
    if (filter.listedOnly) query.where('listed', true)
    if (filter.places) {
      query.whereRaw(`(chain_id, address) in ${PLACES}`, columnsOf(filter.places))
    }
    return query
  }

  #equal(filter: CurrencyFilter, term: string): Query {
    return this.#filtered(filter).where(anyKey('=', term)).orderBy(ORDER)
  }

  /**
   * A rare beginning is found through its index and sorted; of a common one the rows are met soon when walking in order.
   * The planner cannot tell them apart, so the first look is bounded and says which it is.
   */
  async #beginning(filter: CurrencyFilter, term: string, limit: number): Promise<readonly CurrencyModel[]> {
    const matching = (): Query =>
      this.#filtered(filter)
        .where(anyKey('like', `${likeText(term)}%`))
        .whereNot(anyKey('=', term))
    const rows = await CurrencyModel.query(this.#db)
      .from(matching().limit(BEGINNING_WINDOW).as('currencies'))
      .select('*', this.#db.raw('count(*) over ()::int as in_window'))
      .orderBy(ORDER)
      .limit(limit)
    const common = rows[0] !== undefined && Reflect.get(rows[0], 'in_window') === BEGINNING_WINDOW
    return common ? matching().orderBy(ORDER).limit(limit) : rows
  }

  #containing(filter: CurrencyFilter, term: string): Query {
    const window = this.#filtered(filter).orderBy(ORDER).limit(CONTAINS_WINDOW).as('currencies')
    return CurrencyModel.query(this.#db)
      .from(window)
      .where(anyKey('like', `%${likeText(term)}%`))
      .whereNot(anyKey('like', `${likeText(term)}%`))
      .orderBy(ORDER)
  }
}
