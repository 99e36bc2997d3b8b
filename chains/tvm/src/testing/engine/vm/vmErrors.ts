import type { EVMError } from '@ethereumjs/evm'

/** `contractResult` of the protocol, as far as this network gives it. */
export type ExecutionResult =
  | 'SUCCESS'
  | 'REVERT'
  | 'OUT_OF_ENERGY'
  | 'ILLEGAL_OPERATION'
  | 'BAD_JUMP_DESTINATION'
  | 'STACK_TOO_SMALL'
  | 'STACK_TOO_LARGE'
  | 'TRANSFER_FAILED'
  | 'INVALID_CODE'
  | 'UNKNOWN'

interface Failure {
  readonly result: ExecutionResult
  readonly reason: string
}

const FAILURES: Readonly<Record<string, Failure>> = {
  revert: { result: 'REVERT', reason: 'REVERT opcode executed' },
  'out of gas': { result: 'OUT_OF_ENERGY', reason: 'Not enough energy for operation executing' },
  'code store out of gas': { result: 'OUT_OF_ENERGY', reason: 'Not enough energy for save just created contract code' },
  'invalid opcode': { result: 'ILLEGAL_OPERATION', reason: 'Invalid operation code' },
  'invalid JUMP': { result: 'BAD_JUMP_DESTINATION', reason: "Operation with pc isn't JUMPDEST" },
  'stack underflow': { result: 'STACK_TOO_SMALL', reason: 'Expected stack size is greater than actual' },
  'stack overflow': { result: 'STACK_TOO_LARGE', reason: 'Expected stack size is smaller than actual' },
  'insufficient balance': { result: 'TRANSFER_FAILED', reason: 'transfer trx failed' },
  'invalid bytecode deployed': { result: 'INVALID_CODE', reason: 'invalid code: must not begin with 0xef' },
}

export const resultOfError = ({ error }: EVMError): Failure =>
  FAILURES[error] ?? { result: 'UNKNOWN', reason: `Unknown Throwable: ${error}` }
