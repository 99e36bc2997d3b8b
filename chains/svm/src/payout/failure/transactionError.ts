import type { Json } from '@causeway/core'
import { boundedJson } from '@causeway/core/chain-kit'
import { customErrorOf } from './customErrors.js'

/** Longest piece of a node's text kept. */
const MAX_TEXT = 300

export interface FailureContext {
  /** Programs of the transaction's instructions, in order. */
  readonly programs: readonly string[]
  readonly logs?: readonly string[] | null
  /** The depository program, if there is one. */
  readonly depository: string | null
}

/** Why a transaction failed, as far as it can be told. */
export interface TransactionFailure {
  /** Name of the error: of the chain (`InsufficientFundsForRent`) or of the program (`AccountFrozen`). */
  readonly name: string
  /** Plain words, no URL, no key. */
  readonly text: string
  /** Place of the failed instruction, null when it was none. */
  readonly instruction: number | null
  /** The program that refused, perhaps one called by the instruction; null when it was none. */
  readonly program: string | null
  /** Place of the account the error is about among the transaction's accounts, null when it names none. */
  readonly account: number | null
  /** The error as the node showed it, cut. */
  readonly data: Json
}

const WORDS: Readonly<Record<string, string>> = {
  AccountNotFound: 'the payer of the fee holds nothing',
  InsufficientFundsForFee: 'the payer cannot pay the fee',
  InsufficientFundsForRent: 'an account would hold less than its rent',
  InvalidAccountForFee: 'this account cannot pay fees',
  BlockhashNotFound: 'the blockhash is unknown or too old',
  AlreadyProcessed: 'the transaction ran already',
  AccountInUse: 'an account is in use',
  ProgramAccountNotFound: 'a program does not exist',
  InvalidProgramForExecution: 'a program cannot be run',
  SignatureFailure: 'a signature is wrong',
  AddressLookupTableNotFound: 'a lookup table does not exist',
  TooManyAccountLocks: 'it uses too many accounts',
  MaxLoadedAccountsDataSizeExceeded: 'it loads too much data',
  InsufficientFunds: 'an account does not hold enough',
  ComputationalBudgetExceeded: 'it needs more computation than allowed',
  MissingAccount: 'an account is missing',
  ReadonlyLamportChange: 'the account cannot receive lamports',
  InvalidAccountData: 'an account is missing or of another kind',
  IncorrectProgramId: 'an account belongs to another program',
  UnsupportedProgramId: 'the program does not exist',
}

/** Reads the `err` of a transaction, a status or a simulation. */
export const readTransactionError = (err: unknown, context: FailureContext): TransactionFailure => {
  const bare = { instruction: null, program: null, account: null, data: plain(err) }
  if (typeof err === 'string') return { ...bare, name: err, text: wordsOf(err) }
  if (typeof err !== 'object' || err === null) return { ...bare, name: 'Unknown', text: 'unknown error' }
  const inner: unknown = Reflect.get(err, 'InstructionError')
  if (Array.isArray(inner)) return instructionFailure(Number(inner[0]), inner[1], plain(err), context)
  const name = Object.keys(err)[0] ?? 'Unknown'
  const about: unknown = Reflect.get(err, name)
  const account: unknown = typeof about === 'object' && about !== null ? Reflect.get(about, 'account_index') : null
  return { ...bare, name, text: wordsOf(name), account: typeof account === 'number' ? account : null }
}

const instructionFailure = (at: number, what: unknown, data: Json, context: FailureContext): TransactionFailure => {
  const program = refusing(context.logs ?? []) ?? context.programs[at] ?? null
  const shared = { instruction: at, program, account: null, data }
  const code: unknown = typeof what === 'object' && what !== null ? Reflect.get(what, 'Custom') : undefined
  if (typeof code === 'number') {
    const known = program === null ? null : customErrorOf(program, code, context.depository)
    const told = anchorText(context.logs ?? [])
    const name = known?.name ?? `Custom ${code}`
    return { ...shared, name, text: known === null ? (told ?? `program error ${code}`) : `${known.words} (${name})` }
  }
  const name = typeof what === 'string' ? what : (Object.keys(Object(what))[0] ?? 'Unknown')
  return { ...shared, name, text: wordsOf(name) }
}

/** The first program that failed is the innermost one: whoever called it fails after it. */
const refusing = (logs: readonly string[]): string | null => {
  for (const line of logs) {
    const [, program] = line.match(/^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed/) ?? []
    if (program !== undefined) return program
  }
  return null
}

/** What a program written with Anchor says of its error. */
const anchorText = (logs: readonly string[]): string | null => {
  for (const line of logs) {
    const [, text] = line.match(/^Program log: AnchorError .*Error Message: (.*)$/) ?? []
    if (text !== undefined) return printable(text)
  }
  return null
}

const wordsOf = (name: string): string => {
  const words = WORDS[name]
  return words === undefined ? printable(name) : `${words} (${name})`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
const CONTROL = /[\u0000-\u001f\u007f]/g

const printable = (text: string): string => text.replace(CONTROL, ' ').trim().slice(0, MAX_TEXT)

const plain = (err: unknown): Json => {
  const text = JSON.stringify(boundedJson(err)) ?? 'null'
  return text.length > 1000 ? printable(text) : (JSON.parse(text) as Json)
}
