import { poseidon2 } from './hash/poseidon2.js'
import { need, Refusal } from './refusal.js'

export const CHANGE_KEY = 8
export const TRANSFER = 12

/** A transfer between balances. */
export interface Transfer {
  readonly to: string
  readonly asset: number
  readonly fromRoute: number
  readonly toRoute: number
  readonly amount: bigint
  /** Micro-USDC. */
  readonly fee: bigint
}

/** A transaction of an account, as it was submitted. */
export interface SignedTx {
  readonly type: number
  /** The JSON text with both signatures. */
  readonly info: string
  readonly hash: string
  readonly account: string
  readonly slot: number
  readonly nonce: number
  /** Unix milliseconds. */
  readonly expiresAt: number
  /** Text that the owner signs on L1. */
  readonly ownerText: string
  readonly ownerSignature: string
  readonly transfer?: Transfer
  /** New public key of the slot, in hex. */
  readonly publicKey?: string
}

const SIGNATURE_BYTES = 80
const KEY_BYTES = 40
const MEMO_BYTES = 32
const MOST_AMOUNT = 2n ** 60n
const LOW = 0xffff_ffffn

/** Fields of the JSON text; integers are read from the text, since they may be above 2^53. */
class Fields {
  readonly #fields: Readonly<Record<string, unknown>>

  constructor(readonly text: string) {
    try {
      this.#fields = Object(JSON.parse(text))
    } catch {
      throw new Refusal('invalidInfo')
    }
  }

  integer(name: string): bigint {
    const value = new RegExp(`"${name}"\\s*:\\s*(\\d+)\\s*[,}]`).exec(this.text)?.[1]
    need(value !== undefined && typeof this.#fields[name] === 'number', 'invalidInfo', name)
    return BigInt(value)
  }

  string(name: string): string {
    const value = this.#fields[name]
    need(typeof value === 'string', 'invalidInfo', name)
    return value
  }

  bytes(name: string): readonly number[] {
    const value = this.#fields[name]
    need(Array.isArray(value) && value.every(isByte), 'invalidMemo')
    return value
  }
}

const isByte = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255

/** A field of an L1 text. */
const word = (value: bigint): string => `0x${value.toString(16).padStart(16, '0')}`

const CLOSING = 'Only sign this message for a trusted client!'

/** Reads a transaction, and checks its form and that of the signature of its API key. @throws Refusal */
export const readTransaction = (type: number, info: string, chainId: number): SignedTx => {
  need(type === TRANSFER || type === CHANGE_KEY, 'unknownType')
  const fields = new Fields(info)
  need(Buffer.from(fields.string('Sig'), 'base64').length === SIGNATURE_BYTES, 'invalidSignature')
  const read = type === TRANSFER ? readTransfer : readKeyChange
  const [nonce, expiresAt] = [fields.integer('Nonce'), fields.integer('ExpiredAt')]
  const { elements, ...rest } = read(fields, BigInt(chainId))
  return {
    ...{ type, info, nonce: Number(nonce), expiresAt: Number(expiresAt), ownerSignature: fields.string('L1Sig') },
    ...{ hash: poseidon2([BigInt(chainId), BigInt(type), nonce, expiresAt, ...elements]), ...rest },
  }
}

interface Read extends Pick<SignedTx, 'account' | 'slot' | 'ownerText' | 'transfer' | 'publicKey'> {
  /** Of the hash, after those that all types have. */
  readonly elements: readonly bigint[]
}

const readTransfer = (fields: Fields, chainId: bigint): Read => {
  const names = ['FromAccountIndex', 'ApiKeyIndex', 'ToAccountIndex', 'AssetIndex', 'FromRouteType', 'ToRouteType']
  const [from = 0n, slot = 0n, to = 0n, asset = 0n, fromRoute = 0n, toRoute = 0n] = names.map((name) =>
    fields.integer(name),
  )
  const [amount, fee] = [fields.integer('Amount'), fields.integer('USDCFee')]
  const memo = fields.bytes('Memo')
  need(memo.length === MEMO_BYTES, 'invalidMemo')
  need(amount > 0n && amount <= MOST_AMOUNT, 'invalidAmount')
  const ownerText = [
    ...['Transfer', '', `nonce: ${word(fields.integer('Nonce'))}`],
    ...[`from: ${word(from)} (route ${word(fromRoute)})`, `api key: ${word(slot)}`],
    ...[`to: ${word(to)} (route ${word(toRoute)})`, `asset: ${word(asset)}`, `amount: ${word(amount)}`],
    ...[`fee: ${word(fee)}`, `chainId: ${word(chainId)}`, `memo: ${Buffer.from(memo).toString('hex')}`, CLOSING],
  ].join('\n')
  return {
    ...{ account: `${from}`, slot: Number(slot), ownerText },
    elements: [from, slot, to, asset, fromRoute, toRoute, amount & LOW, amount >> 32n, fee & LOW, fee >> 32n],
    transfer: {
      ...{ to: `${to}`, asset: Number(asset), fromRoute: Number(fromRoute), toRoute: Number(toRoute), amount, fee },
    },
  }
}

const readKeyChange = (fields: Fields): Read => {
  const [account, slot] = [fields.integer('AccountIndex'), fields.integer('ApiKeyIndex')]
  const key = Buffer.from(fields.string('PubKey'), 'base64')
  need(key.length === KEY_BYTES, 'invalidKey')
  const publicKey = key.toString('hex')
  const ownerText = [
    ...['Register Lighter Account', '', `pubkey: 0x${publicKey}`, `nonce: ${word(fields.integer('Nonce'))}`],
    ...[`account index: ${word(account)}`, `api key index: ${word(slot)}`, CLOSING],
  ].join('\n')
  const limbs = [0, 8, 16, 24, 32].map((place) => key.readBigUInt64LE(place))
  return { account: `${account}`, slot: Number(slot), ownerText, publicKey, elements: [account, slot, ...limbs] }
}
