import type { FailedTransactionMetadata } from 'litesvm'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './engineErrorNames.js'

export type RpcError = string | Readonly<Record<string, unknown>>

/** A failure of the engine in the shape that nodes answer with, for example `{"InstructionError":[0,{"Custom":1}]}`. */
export const rpcErrorOf = (failure: FailedTransactionMetadata): RpcError => {
  const error: unknown = failure.err()
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? 'Unknown'
  const at: unknown = Reflect.get(Object(error), 'index')
  const accountIndex: unknown = Reflect.get(Object(error), 'accountIndex')
  if (typeof accountIndex === 'number') return { InsufficientFundsForRent: { account_index: accountIndex } }
  const inner: unknown = Reflect.get(Object(error), 'err')
  if (typeof at !== 'number' || typeof inner !== 'function') return 'Unknown'
  const reason: unknown = Reflect.apply(inner, error, [])
  if (typeof reason === 'number') return { InstructionError: [at, INSTRUCTION_ERRORS[reason] ?? 'Unknown'] }
  const code: unknown = Reflect.get(Object(reason), 'code')
  return { InstructionError: [at, typeof code === 'number' ? { Custom: code } : 'BorshIoError'] }
}

const WORDS: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
}

/** The sentence that a node makes of an error. */
export const describeError = (error: RpcError): string => {
  if (typeof error === 'string') return WORDS[error] ?? error
  const { InstructionError: failed, InsufficientFundsForRent: rent } = error
  if (rent !== undefined) {
    const account = String(Reflect.get(Object(rent), 'account_index'))
    return `Transaction results in an account (${account}) with insufficient funds for rent`
  }
  if (!Array.isArray(failed)) return JSON.stringify(error)
  const [index, reason]: readonly unknown[] = failed
  const code: unknown = Reflect.get(Object(reason), 'Custom')
  const why = typeof code === 'number' ? `custom program error: 0x${code.toString(16)}` : String(reason)
  return `Error processing Instruction ${String(index)}: ${why}`
}
