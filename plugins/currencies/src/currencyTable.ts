import type { Knex } from 'knex'
import type { QueryBuilder } from 'objection'
import type { CatalogueCurrency } from './catalogueCurrency.js'
import type { CurrencyFilter, TokenPlace } from './currencyFilter.js'
import { CurrencyModel } from './currencyModel.js'

type Query = QueryBuilder<CurrencyModel>

/** Rows among which a text in the middle of a symbol or name is looked for, best ones first. */
const CONTAINS_WINDOW = 20_000

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

const fromRow = (row: CurrencyModel): CatalogueCurrency => ({
  currency: {
    chainId: Number(row.chain_id),
    address: row.address,
    symbol: row.symbol,
    name: row.name,
    decimals: row.decimals,
    vmType: row.vm_type,
    groupId: row.group_id,
    metadata: { logoURI: row.logo_uri, verified: row.verified, isNative: row.is_native },
  },
  held: false,
  listed: row.listed,
  depositAddress: row.deposit_address,
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

  /** Best matches first, at most `limit`; two statements at most. */
  async search(filter: CurrencyFilter): Promise<readonly CatalogueCurrency[]> {
    if (filter.chainIds.length === 0 || filter.places?.length === 0) return []
    const { term, limit } = filter
    if (term === undefined) return (await this.#filtered(filter).orderBy(ORDER).limit(limit)).map(fromRow)
    const first = await this.#beginningWith(filter, term)
    if (first.length >= limit) return first.map(fromRow)
    const rest = await this.#containing(filter, term).limit(limit - first.length)
    return [...first, ...rest].map(fromRow)
  }

  #filtered(filter: CurrencyFilter): Query {
    const query = CurrencyModel.query(this.#db).whereIn('chain_id', filter.chainIds)
    if (this.#hidden[0].length > 0) {
      query.whereRaw(`(chain_id, address) not in ${PLACES}`, [...this.#hidden])
    }
    if (filter.groupIds) query.whereIn('group_id', filter.groupIds)
    if (filter.verified !== undefined) query.where('verified', filter.verified)
    if (filter.listedOnly) query.where('listed', true)
    if (filter.depositAddressOnly) query.where('deposit_address', true)
    if (filter.places) {
      query.whereRaw(`(chain_id, address) in ${PLACES}`, columnsOf(filter.places))
    }
    return query
  }

  #beginningWith(filter: CurrencyFilter, term: string): Query {
    const prefix = `${likeText(term)}%`
    return this.#filtered(filter)
      .where((either) =>
        either
          .where('symbol_key', 'like', prefix)
          .orWhere('name_key', 'like', prefix)
          .orWhere('address_key', 'like', prefix),
      )
      .orderByRaw('case when ? in (symbol_key, name_key, address_key) then 0 else 1 end', [term])
      .orderBy(ORDER)
      .limit(filter.limit)
  }

  #containing(filter: CurrencyFilter, term: string): Query {
    const middle = `%${likeText(term)}%`
    const prefix = `${likeText(term)}%`
    const window = this.#filtered(filter).orderBy(ORDER).limit(CONTAINS_WINDOW).as('currencies')
    return CurrencyModel.query(this.#db)
      .from(window)
      .where((either) =>
        either
          .where('symbol_key', 'like', middle)
          .orWhere('name_key', 'like', middle)
          .orWhere('address_key', 'like', middle),
      )
      .whereNot((either) =>
        either
          .where('symbol_key', 'like', prefix)
          .orWhere('name_key', 'like', prefix)
          .orWhere('address_key', 'like', prefix),
      )
      .orderBy(ORDER)
  }
}
