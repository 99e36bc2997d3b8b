import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { NATIVE } from '../address/addresses.js'
import { USDC_ASSET, USDC_DECIMALS } from '../address/assets.js'
import { askAssets } from './assets.js'
import { COUNT, DECIMAL } from './fields.js'
import { type Asked, askAt, findAt } from './lighterNode.js'

const assetSchema = Type.Object({
  asset_id: COUNT,
  balance: DECIMAL,
  locked_balance: Type.Optional(DECIMAL),
})
const accountSchema = Type.Object({
  index: COUNT,
  l1_address: Type.String({ maxLength: 100 }),
  available_balance: DECIMAL,
  assets: Type.Optional(Type.Array(assetSchema)),
})
const readAccounts = answerOf(Type.Object({ accounts: Type.Array(accountSchema) }))

/** An account as a node shows it now. */
export interface AccountState {
  readonly account: string
  /** Ethereum address of its owner, in lower case. */
  readonly owner: string
  /** Amounts that it may transfer, smallest unit, by currency. */
  readonly balances: ReadonlyMap<string, bigint>
}

/** Decimal text in smallest units, cut toward zero (faults.md F37). */
export const unitsOf = (text: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return text.startsWith('-') ? -units : units
}

/** An account by its index; null where there is none. @throws ServiceError */
export const askAccount = async (asked: Asked, account: string): Promise<AccountState | null> => {
  const found = await findAt(asked, '/api/v1/account', readAccounts, { by: 'index', value: account })
  const [json] = found?.accounts ?? []
  if (json === undefined) return null
  if (json.index !== account) throw strangeAnswer('another account than the one asked for')
  const { assets = [], available_balance, l1_address } = json
  const listed = assets.some(({ asset_id }) => asset_id !== String(USDC_ASSET)) ? await askAssets(asked) : null
  const balances = new Map([[NATIVE, unitsOf(available_balance, USDC_DECIMALS)]])
  for (const { asset_id, balance, locked_balance = '0' } of assets) {
    const decimals = asset_id === String(USDC_ASSET) ? USDC_DECIMALS : listed?.get(asset_id)?.decimals
    if (decimals !== undefined) balances.set(asset_id, unitsOf(balance, decimals) - unitsOf(locked_balance, decimals))
  }
  return { account, owner: l1_address.toLowerCase(), balances }
}

const readNonce = answerOf(Type.Object({ nonce: COUNT }))
const readKeys = answerOf(
  Type.Object({
    api_keys: Type.Array(
      Type.Object({
        account_index: COUNT,
        api_key_index: COUNT,
        nonce: COUNT,
        public_key: Type.String({ maxLength: 200 }),
      }),
    ),
  }),
)

/** An API key of an account. */
export interface ApiKeySlot {
  readonly account: string
  readonly apiKeyIndex: number
}

const slotQuery = ({ account, apiKeyIndex }: ApiKeySlot) => ({
  account_index: account,
  api_key_index: String(apiKeyIndex),
})

/** The number that the API key's next transaction takes. @throws ServiceError */
export const askNextNonce = async (asked: Asked, slot: ApiKeySlot): Promise<bigint> =>
  BigInt((await askAt(asked, '/api/v1/nextNonce', readNonce, slotQuery(slot))).nonce)

/** An API key as committed transactions left it. */
export interface ApiKeyState {
  /** In hex without prefix. */
  readonly publicKey: string
  /** Number of its next transaction. */
  readonly nonce: bigint
}

/** The API key in a slot; null where the slot holds none. @throws ServiceError */
export const askApiKey = async (asked: Asked, slot: ApiKeySlot): Promise<ApiKeyState | null> => {
  const found = await findAt(asked, '/api/v1/apikeys', readKeys, slotQuery(slot))
  const key = found?.api_keys.find(({ api_key_index }) => api_key_index === String(slot.apiKeyIndex))
  const publicKey = key?.public_key.replace(/^0x/, '').toLowerCase() ?? ''
  return key === undefined || /^0*$/.test(publicKey) ? null : { publicKey, nonce: BigInt(key.nonce) }
}
