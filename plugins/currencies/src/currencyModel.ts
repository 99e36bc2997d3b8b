import { Model } from 'objection'

/** An imported currency. */
export class CurrencyModel extends Model {
  static override readonly tableName = 'currencies'
  static override readonly idColumn = ['chain_id', 'address']

  /** Decimal text: the driver's form of a 64-bit integer. */
  declare chain_id: string
  declare address: string
  declare symbol: string
  declare name: string
  declare decimals: number
  declare vm_type: string
  declare group_id: string
  declare logo_uri: string
  declare verified: boolean
  declare is_native: boolean
  /** One of the default currencies. */
  declare listed: boolean
  declare deposit_address: boolean
  declare symbol_key: string
  declare name_key: string
  declare address_key: string
  declare updated_at: Date
}
