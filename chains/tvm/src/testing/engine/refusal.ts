/** Codes of `broadcasttransaction` (api.proto of java-tron). */
export type RefusalCode =
  | 'SIGERROR'
  | 'CONTRACT_VALIDATE_ERROR'
  | 'BANDWITH_ERROR'
  | 'DUP_TRANSACTION_ERROR'
  | 'TAPOS_ERROR'
  | 'TOO_BIG_TRANSACTION_ERROR'
  | 'TRANSACTION_EXPIRATION_ERROR'

/** Why a transaction cannot be in a block. */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    reason: string,
  ) {
    super(reason)
  }
}

/** @throws Refusal unless the condition holds */
export function need(condition: boolean, code: RefusalCode, reason: string): asserts condition {
  if (!condition) throw new Refusal(code, reason)
}

/** @throws Refusal as the actuators of java-tron do, unless the condition holds */
export function validate(condition: boolean, reason: string): asserts condition {
  need(condition, 'CONTRACT_VALIDATE_ERROR', `Contract validate error : ${reason}`)
}
