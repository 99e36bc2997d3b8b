import { createRequire } from 'node:module'
import type { FailedTransactionMetadata } from 'litesvm'

/** The engine gives its plain errors as numbers of these tables, which it does not type as values. */
const tables = createRequire(import.meta.url)('litesvm/dist/internal.js') as {
  readonly TransactionErrorFieldless: Readonly<Record<string, number>>
  readonly InstructionErrorFieldless: Readonly<Record<string, number>>
}

export type RpcError = string | Readonly<Record<string, unknown>>

const nameIn = (table: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(table).find((name) => table[name] === value) ?? 'Unknown'

/** A failure of the engine in the shape that nodes answer with, for example `{"InstructionError":[0,{"Custom":1}]}`. */
export const rpcErrorOf = (failure: FailedTransactionMetadata): RpcError => {
  const error: unknown = failure.err()
  if (typeof error === 'number') return nameIn(tables.TransactionErrorFieldless, error)
  const at: unknown = Reflect.get(Object(error), 'index')
  const accountIndex: unknown = Reflect.get(Object(error), 'accountIndex')
  if (typeof accountIndex === 'number') return { InsufficientFundsForRent: { account_index: accountIndex } }
  const inner: unknown = Reflect.get(Object(error), 'err')
  if (typeof at !== 'number' || typeof inner !== 'function') return 'Unknown'
  const reason: unknown = Reflect.apply(inner, error, [])
  if (typeof reason === 'number') return { InstructionError: [at, nameIn(tables.InstructionErrorFieldless, reason)] }
  const code: unknown = Reflect.get(Object(reason), 'code')
  return { InstructionError: [at, typeof code === 'number' ? { Custom: code } : 'BorshIoError'] }
}
