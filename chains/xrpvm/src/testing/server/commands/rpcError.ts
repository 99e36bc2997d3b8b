/** Errors of rippled's commands, with the number and the text it gives them. */
const ERRORS = {
  invalidParams: [31, 'Invalid parameters.'],
  unknownCmd: [32, 'Unknown method.'],
  actNotFound: [19, 'Account not found.'],
  actMalformed: [35, 'Account malformed.'],
  lgrNotFound: [21, 'ledgerNotFound'],
  lgrIdxsInvalid: [57, 'Ledger indexes invalid.'],
  lgrIdxMalformed: [58, 'Ledger index malformed.'],
  lgrNotValidated: [76, 'Ledger not validated.'],
  invalidLgrRange: [79, 'Ledger range is invalid.'],
  excessiveLgrRange: [80, 'Ledger range exceeds 1000.'],
  txnNotFound: [29, 'Transaction not found.'],
  notImpl: [74, 'Not implemented.'],
  transactionSigned: [96, 'Transaction should not be signed.'],
  invalidTransaction: [null, ''],
  malformedStream: [56, 'Stream malformed.'],
  noNetwork: [17, 'Not synced to the network.'],
  tooBusy: [9, 'The server is too busy to help you now.'],
  slowDown: [10, 'You are placing too much load on the server.'],
  internal: [73, 'Internal error.'],
} as const satisfies Record<string, readonly [number | null, string]>

export type RpcErrorName = keyof typeof ERRORS

/** Whether rippled has an error of that name. */
export const isErrorName = (name: string): name is RpcErrorName => Object.hasOwn(ERRORS, name)

/** A command is answered with an error. */
export class RpcError extends Error {
  constructor(
    readonly error: string,
    /** What stands in the answer beside the name. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(error)
  }
}

/** One of rippled's own errors. */
export const rpcError = (error: RpcErrorName, details: Readonly<Record<string, unknown>> = {}): RpcError => {
  const [code, message] = ERRORS[error]
  return new RpcError(error, { ...(code === null ? {} : { error_code: code, error_message: message }), ...details })
}
