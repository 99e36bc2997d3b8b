import {
  type AnswerReader,
  answerOf,
  answersByMethod,
  type JsonRpcError,
  type RpcCall,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { readFeeLevels } from '../payout/feeLevels.js'
import { readTransaction } from '../read/transactions.js'
import { readLines } from './accountState.js'
import { readHead } from './ledgerHead.js'
import { readServerInfo } from './serverInfo.js'

const list = Type.Array(Type.Unknown())
const engineResult = answerOf(Type.Object({ engine_result: Type.String({ pattern: '^te[a-zA-Z_0-9]{1,60}$' }) }))

/** The least that each method answers; the caller reads more of it. */
const READERS: Readonly<Record<string, AnswerReader<unknown>>> = {
  account_info: answerOf(
    Type.Object({ account_data: Type.Object({ Account: Type.String(), Sequence: Type.Integer() }) }),
  ),
  account_lines: readLines,
  account_objects: answerOf(Type.Object({ account_objects: list })),
  account_tx: answerOf(Type.Object({ transactions: list })),
  deposit_authorized: answerOf(Type.Object({ deposit_authorized: Type.Boolean() })),
  fee: readFeeLevels,
  ledger: readHead,
  server_info: readServerInfo,
  simulate: engineResult,
  submit: engineResult,
  tx: readTransaction,
}

/** Methods whose answers can be read. */
export const readMethods: readonly string[] = Object.keys(READERS)

const check = answersByMethod(READERS)

/** Members of a call that an answer must repeat, by method; each may be absent in either. */
const REPEATED: Readonly<Record<string, (answer: object, fields: object) => readonly (readonly [unknown, unknown])[]>> =
  {
    account_info: (answer, fields) => [
      [memberOf(Reflect.get(answer, 'account_data'), 'Account'), memberOf(fields, 'account')],
    ],
    account_lines: (answer, fields) => [[memberOf(answer, 'account'), memberOf(fields, 'account')]],
    account_objects: (answer, fields) => [[memberOf(answer, 'account'), memberOf(fields, 'account')]],
    account_tx: (answer, fields) => [[memberOf(answer, 'account'), memberOf(fields, 'account')]],
    ledger: (answer, fields) => [[memberOf(answer, 'ledger_index'), heightOr(memberOf(fields, 'ledger_index'))]],
    tx: (answer, fields) => [[memberOf(answer, 'hash'), idOr(memberOf(fields, 'transaction'))]],
  }

const memberOf = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined

const idOr = (id: unknown): unknown => (typeof id === 'string' ? id.toUpperCase() : undefined)

/** A height, or nothing for a word such as `validated`. */
const heightOr = (index: unknown): unknown => (typeof index === 'number' ? index : undefined)

/** Another account, ledger or transaction than the one asked for would count as it. */
const requireAsked = (answer: unknown, { method, params: [fields] }: RpcCall): void => {
  for (const [found, asked] of REPEATED[method]?.(Object(answer), Object(fields)) ?? []) {
    if (found !== undefined && asked !== undefined && found !== asked)
      throw strangeAnswer('another thing than the one asked for')
  }
}

/** An answer of a server, if it fits its call: else another server is asked (faults.md F161). @throws ServiceError RPC_HTTP_ERROR */
export const readAnswer = (answer: unknown, call: RpcCall): unknown => {
  check(answer, call)
  requireAsked(answer, call)
  return answer
}

/** Words by which a server answers: what is not in the ledger, what it does not have of it, a bad argument. */
const ANSWERS: ReadonlySet<string> = new Set([
  'actMalformed',
  'actNotFound',
  'dstActMalformed',
  'dstActNotFound',
  'entryNotFound',
  'invalidLgrRange',
  'invalidParams',
  'invalidTransaction',
  'issueMalformed',
  'lgrIdxMalformed',
  'lgrIdxsInvalid',
  'lgrNotFound',
  'objectNotFound',
  'srcActMalformed',
  'srcActNotFound',
  'txnNotFound',
])

/** Methods that a server may lack: payments are judged by what the accounts show then. */
const OPTIONAL_METHODS: ReadonlySet<string> = new Set(['simulate', 'deposit_authorized'])
const LACKING: ReadonlySet<string> = new Set(['unknownCmd', 'notSupported', 'notEnabled'])

/** Whether an error says that a server does not serve a command. */
export const isLacking = ({ message }: Pick<JsonRpcError, 'message'>): boolean => LACKING.has(message)

/** Whether a word answers a call. Whatever else a server says is its own refusal (faults.md F162). */
export const isChainAnswer = ({ message }: JsonRpcError, { method }: RpcCall): boolean =>
  ANSWERS.has(message) || (OPTIONAL_METHODS.has(method) && isLacking({ message }))
