import { base58Of, hexAddress, hexOfBase58 } from './addresses.js'
import { CONTRACTS, isContractKind } from './contracts.js'
import type { Fields, MessageType } from './protobuf.js'
import { rawFields, rawOf, type SignedTransaction, TYPE_URL, unsignedTransaction } from './transactions.js'

/** Rewrites the addresses of a message, at any depth. */
const withAddresses = (type: MessageType, fields: Fields, rewrite: (address: string) => string): Fields => {
  const kinds = new Map(Object.values(type).map(({ name, kind }) => [name, kind]))
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const kind = kinds.get(name)
      if (kind === 'address') return [name, rewrite(String(value))]
      if (typeof kind !== 'object' || !('message' in kind)) return [name, value]
      const inner = (one: unknown) => withAddresses(kind.message, Object(one), rewrite)
      return [name, Array.isArray(value) ? value.map(inner) : inner(value)]
    }),
  )
}

/** Spelling of an address in answers: base58check if `visible`, else hex. */
export const spelled = (hex: string, visible: boolean): string => (visible ? base58Of(hex) : hex)

/** Address of a request, as hex. @throws SyntaxError for an address of the other spelling */
export const readAddress = (value: unknown, visible: boolean): string => {
  const text = String(value ?? '')
  if (visible) return hexOfBase58(text)
  if (text.startsWith('T'))
    throw new SyntaxError('exception decoding Hex string: invalid characters encountered in Hex string')
  return hexAddress(text.replace(/^0x/, ''))
}

/** A transaction as nodes answer it. */
export const transactionJson = (
  { raw, rawHex, id, signatures }: SignedTransaction,
  visible: boolean,
  contractRet?: string,
): Fields => {
  const { kind, value, permission } = raw.call
  return {
    ...(contractRet === undefined ? {} : { ret: [{ contractRet }] }),
    ...{ visible, txID: id },
    ...(signatures.length === 0 ? {} : { signature: signatures }),
    raw_data: rawFields(raw, {
      parameter: {
        value: withAddresses(CONTRACTS[kind].message, value, (hex) => spelled(hex, visible)),
        type_url: `${TYPE_URL}${kind}`,
      },
      type: kind,
      ...(permission === 0 ? {} : { Permission_id: permission }),
    }),
    raw_data_hex: rawHex,
  }
}

/**
 * Reads a transaction of a client, whose bytes are those of its `raw_data`, whatever `raw_data_hex` says.
 * @throws SyntaxError for another object, or for a kind that this network does not execute
 */
export const readTransaction = (json: unknown): SignedTransaction => {
  const { raw_data, signature = [], visible = false } = Object(json)
  const fields = Object(raw_data)
  const [{ type, parameter, Permission_id = 0 } = Object({}), ...others] = [fields.contract ?? []].flat().map(Object)
  if (!isContractKind(type) || others.length > 0) throw new SyntaxError('The contract of the transaction is unknown')
  const read = (address: string) => readAddress(address, visible === true)
  const value = withAddresses(CONTRACTS[type].message, Object(parameter?.value), read)
  const raw = rawOf(fields, { kind: type, value, permission: Number(Permission_id) })
  return { ...unsignedTransaction(raw), signatures: [signature].flat().map(String) }
}
