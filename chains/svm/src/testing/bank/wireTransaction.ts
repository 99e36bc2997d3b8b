import { base58 } from '@scure/base'
import { type MessageV0, VersionedTransaction } from '@solana/web3.js'
import type { LiteSVM } from 'litesvm'

/** Most bytes of a transaction on the wire. */
export const MAX_BYTES = 1232

/** A decoded transaction with every account it names, looked-up ones included. */
export interface WireTransaction {
  readonly raw: Buffer
  readonly signature: string
  readonly decoded: VersionedTransaction
  readonly keys: readonly string[]
  readonly loaded: { readonly writable: readonly string[]; readonly readonly: readonly string[] }
  /** As the engine takes it. */
  readonly engineForm: EngineTransaction
}

export type EngineTransaction = Parameters<LiteSVM['sendTransaction']>[0]

/** Addresses in a lookup table, or null when there is none. */
export type TableReader = (table: string) => readonly string[] | null

/** @throws Error when the bytes are no transaction, or a table is missing */
export const decodeTransaction = (raw: Buffer, tableOf: TableReader): WireTransaction => {
  const decoded = VersionedTransaction.deserialize(raw)
  const { message, signatures } = decoded
  const statics = message.staticAccountKeys.map((key) => key.toBase58())
  const loaded = message.version === 0 ? loadTables(message, tableOf) : { writable: [], readonly: [] }
  const messageBytes = message.serialize()
  const signers = statics.slice(0, message.header.numRequiredSignatures)
  // CAST: the engine's types are those of another library; this is the same plain object.
  const engineForm = {
    messageBytes,
    signatures: Object.fromEntries(signers.map((signer, at) => [signer, signatures[at] ?? null])),
  } as unknown as EngineTransaction
  return {
    raw,
    signature: base58.encode(signatures[0] ?? new Uint8Array(64)),
    decoded,
    keys: [...statics, ...loaded.writable, ...loaded.readonly],
    loaded,
    engineForm,
  }
}

const loadTables = (message: MessageV0, tableOf: TableReader): WireTransaction['loaded'] => {
  const pick = (kind: 'writableIndexes' | 'readonlyIndexes') =>
    message.addressTableLookups.flatMap((lookup) => {
      const addresses = tableOf(lookup.accountKey.toBase58())
      if (addresses === null) throw new Error('Address lookup table not found')
      return lookup[kind].map((index) => {
        const found = addresses[index]
        if (found === undefined) throw new Error('Address lookup table index out of bounds')
        return found
      })
    })
  return { writable: pick('writableIndexes'), readonly: pick('readonlyIndexes') }
}

const MEMO_PROGRAMS: ReadonlySet<string> = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
])

/** Memos of the top level as `getSignaturesForAddress` shows them: `[length] text`, joined by `; `. */
export const memoOf = ({ decoded, keys }: WireTransaction): string | null => {
  const memos = decoded.message.compiledInstructions
    .filter(({ programIdIndex }) => MEMO_PROGRAMS.has(keys[programIdIndex] ?? ''))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`)
  return memos.length === 0 ? null : memos.join('; ')
}
