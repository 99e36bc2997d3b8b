import { badQuery, type RecordField, STATUS_FILTER } from '@causeway/core/plugin'

const REQUEST_TYPES = ['bridge', 'crosschain swap', 'same-chain swap', 'send', 'wrap', 'unwrap', 'call']
const CHAIN_ID = /^(?:0|[1-9][0-9]{0,15})$/
const MAX_TEXT = 256

const CHAINS: ReadonlySet<RecordField> = new Set([
  'originChainId',
  'destinationChainId',
  'chainId',
  'currencyInChainId',
  'currencyOutChainId',
])

/** What a value of a field must be, beyond a text; null: fine. */
const ruleOf = (field: RecordField, value: string): string | null => {
  if (value === '') return 'must not be empty'
  if (value.length > MAX_TEXT) return `must be a text of at most ${MAX_TEXT} characters`
  if (CHAINS.has(field) && !CHAIN_ID.test(value)) return 'must be a chain id'
  if (field === 'status' && !STATUS_FILTER.some((word) => word === value)) {
    return `must be one of ${STATUS_FILTER.join(', ')}`
  }
  if (field === 'requestType' && !REQUEST_TYPES.includes(value.toLowerCase())) {
    return 'must be one of Bridge, Crosschain Swap, Same-chain Swap, Send, Wrap, Unwrap, Call'
  }
  return null
}

/** Holds a value against the rule of its field (wire.md K.3 3). Throws `INVALID_REQUEST`. */
export const checkedValue = (field: RecordField, value: string, name: string): string => {
  const rule = ruleOf(field, value)
  if (rule !== null) throw badQuery(name, rule)
  return value
}
