import { type DepositFacts, isFields, type TransactionStep, UnreadableQuoteError, valueAt } from '@causeway/core/verify'

/** Marker of perps USDC in orders, and the characters of a token id. */
const MARKER = `0x${'0'.repeat(32)}`
const TOKEN_ID_LENGTH = MARKER.length
/** Tokens that an order of perps USDC may move: USDC of both networks. */
const USDC = ['0x6d1e7cde53ba9467b783cb7c530ce054', '0xeb62eee3685fc4c43992febcd9e75443']
const NONCE_MAPPING_FIELDS = 'string chainId,address wallet,address depositor,bytes32 id,uint256 nonce'
const SEND_ASSET_FIELDS =
  'string hyperliquidChain,string destination,string sourceDex,string destinationDex,string token,string amount,string fromSubAccount,uint64 nonce'
const SEND_ASSET = 'HyperliquidTransaction:SendAsset'

const textOf = (value: unknown): string => String(value).slice(0, 200)
const lowerOf = (value: unknown): string => textOf(value).toLowerCase()

/** Fields of typed data as one text, in their order. */
const fieldsOf = (types: unknown): string =>
  Array.isArray(types)
    ? types.map((field) => `${textOf(valueAt(field, 'type'))} ${textOf(valueAt(field, 'name'))}`).join(',')
    : ''

/**
 * The form of a deposit on Hyperliquid: the wallet signs that its nonce is for the order, and sends just the amount with this nonce to the
 * depository, within one exchange (chains.md hypevm 3).
 */
export const checkHyperliquidDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, isSwapped } = facts
  const [authorize, deposit] = steps
  if (steps.length !== 2 || authorize?.id !== 'authorize' || deposit?.id !== 'deposit')
    throw new UnreadableQuoteError('A deposit on Hyperliquid is an authorization and a transfer')
  findings.require(!isSwapped, 'There is no swap before a deposit on Hyperliquid')
  findings.notCovered.push('which chain the signatures name: the wallet puts its own in place')
  const nonce = textOf(valueAt(deposit.data, 'nonce'))
  findings.require(/^[1-9]\d{0,15}$/.test(nonce), 'The nonce is no whole number')
  checkMapping(authorize.data, nonce, facts)
  checkTransfer(deposit.data, nonce, facts)
}

const checkMapping = (
  data: unknown,
  nonce: string,
  { findings, orderId, sender, chainId, slug }: DepositFacts,
): void => {
  const sign = valueAt(data, 'sign')
  findings.same('The kind of the signature', textOf(valueAt(sign, 'signatureKind')), 'eip712')
  findings.same('The version of the mapping', textOf(valueAt(sign, 'domain.version')), '2')
  findings.same('The contract of the mapping', textOf(valueAt(sign, 'domain.verifyingContract')), `0x${'0'.repeat(40)}`)
  findings.same('The type of the mapping', textOf(valueAt(sign, 'primaryType')), 'NonceMapping')
  findings.same('The fields of the mapping', fieldsOf(valueAt(sign, 'types.NonceMapping')), NONCE_MAPPING_FIELDS)
  const post = valueAt(data, 'post')
  findings.same('The path of the mapping', textOf(valueAt(post, 'endpoint')), '/authorize')
  findings.same('The method of the mapping', textOf(valueAt(post, 'method')), 'POST')
  findings.same('The kind of the post', textOf(valueAt(post, 'body.type')), 'nonce-mapping')
  findings.same('The chain of the post', textOf(valueAt(post, 'body.walletChainId')), textOf(chainId))
  findings.same('The chain of the mapping', textOf(valueAt(sign, 'value.chainId')), slug)
  for (const [name, fields] of [
    ['mapping', valueAt(sign, 'value')],
    ['post', valueAt(post, 'body')],
  ] as const) {
    findings.same(`The wallet of the ${name}`, lowerOf(valueAt(fields, 'wallet')), sender.toLowerCase())
    findings.same(`The depositor of the ${name}`, lowerOf(valueAt(fields, 'depositor')), sender.toLowerCase())
    findings.same(`The order of the ${name}`, lowerOf(valueAt(fields, 'id')), orderId.toLowerCase())
    findings.same(`The nonce of the ${name}`, textOf(valueAt(fields, 'nonce')), nonce)
  }
}

const checkTransfer = (data: unknown, nonce: string, facts: DepositFacts): void => {
  const { findings, depository, currency, amount, decimals } = facts
  findings.same('The action', textOf(valueAt(data, 'action.type')), 'sendAsset')
  findings.same('The type of the action', textOf(valueAt(data, 'eip712PrimaryType')), SEND_ASSET)
  const types = valueAt(data, 'eip712Types')
  findings.same('The fields of the action', fieldsOf(isFields(types) ? types[SEND_ASSET] : null), SEND_ASSET_FIELDS)
  const sent = valueAt(data, 'action.parameters')
  const dex = dexOf(currency)
  findings.same('The depository', lowerOf(valueAt(sent, 'destination')), depository.toLowerCase())
  findings.same('The exchange that the money leaves', textOf(valueAt(sent, 'sourceDex')), dex)
  findings.same('The exchange that the money reaches', textOf(valueAt(sent, 'destinationDex')), dex)
  findings.same('The sub-account', textOf(valueAt(sent, 'fromSubAccount')), '')
  findings.same('The nonce of the transfer', textOf(valueAt(sent, 'nonce')), nonce)
  const [, token = ''] = textOf(valueAt(sent, 'token')).toLowerCase().split(':')
  const isPaid = currency === MARKER ? USDC.includes(token) : token === currency.slice(0, TOKEN_ID_LENGTH)
  findings.require(isPaid, 'The token of the transfer is not the currency of the order')
  findings.same('The amount', `${unitsOf(textOf(valueAt(sent, 'amount')), decimals)}`, amount.toString())
}

const dexOf = (currency: string): string => {
  if (currency === MARKER) return ''
  const name = currency.slice(TOKEN_ID_LENGTH)
  return name === '' ? 'spot' : hexText(name)
}

const hexText = (hex: string): string =>
  (hex.match(/../g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('')

/** Smallest units of decimal text; null for text that is none, or has more decimal places. */
const unitsOf = (text: string, decimals: number): bigint | null => {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? []
  return whole === undefined || fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, '0'))
}
