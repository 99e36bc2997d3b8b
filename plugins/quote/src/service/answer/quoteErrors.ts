import { randomBytes } from 'node:crypto'
import { ServiceError } from '@causeway/core'
import type { Simulation } from '@causeway/core/chain'
import { isBalanceTooLow, type QuoteCall } from '@causeway/core/plugin'

/** PostgreSQL's code for a row whose key another one has. */
const UNIQUE_VIOLATION = '23505'

/** The quote needs a balance that is not there, beside what other quotes keep of it (faults.md F69). */
const balanceTooLow = (cause: unknown): ServiceError =>
  new ServiceError(
    'INVALID_SUBSIDIZATION',
    'The balance of the linked wallet does not cover what body.subsidizeFees asks of it beside what other quotes keep',
    { cause },
  )

/**
 * What the database refused: something that is given once was given before, however that came, and another quote has other ids
 * (faults.md F18), or a balance does not cover the quote. Nothing of it was stored.
 */
export const storeError = (error: unknown): unknown => {
  if (isBalanceTooLow(error)) return balanceTooLow(error)
  return error instanceof Error && Reflect.get(error, 'code') === UNIQUE_VIOLATION
    ? new ServiceError('SERVICE_UNAVAILABLE', 'The quote could not be stored. Try again.', { cause: error })
    : error
}

type FailedSimulation = Extract<Simulation, { readonly ok: false }>

const isUpstream = (code: string): boolean => code === 'REQUEST_TIMED_OUT' || code === 'RPC_HTTP_ERROR'

/** The error as the caller sees it: most operations know no codes of upstream RPC failures (wire.md K.1 8). */
export const errorForCall = (error: unknown, { exposesUpstreamErrors = false }: QuoteCall): unknown =>
  !exposesUpstreamErrors && ServiceError.is(error) && isUpstream(error.code)
    ? new ServiceError('SERVICE_UNAVAILABLE', error.message, { cause: error, data: error.data })
    : error

const timedOut = (message: string): boolean => /time(d)?[ -]?out|in time/i.test(message)

/**
 * What a failed simulation of the fill means to the caller: the solver is short, the chain did not answer, or the
 * recipient cannot be paid, at all or so little (wire.md 1.2, faults.md F60, F62).
 */
export const simulationError = (failure: FailedSimulation): ServiceError => {
  if (failure.kind === 'insufficient-funds') {
    return new ServiceError('INSUFFICIENT_LIQUIDITY', 'The solver does not hold enough of this currency now')
  }
  if (failure.kind === 'transient') {
    return new ServiceError(timedOut(failure.message) ? 'REQUEST_TIMED_OUT' : 'RPC_HTTP_ERROR', failure.message)
  }
  if (failure.leastAmount !== undefined) return new ServiceError('AMOUNT_TOO_LOW', failure.message)
  const plain = failure.kind === 'recipient-cannot-receive' && !/cannot (receive|be paid)/i.test(failure.message)
  const message = plain ? `The recipient cannot receive this token: ${failure.message}` : failure.message
  return new ServiceError('DESTINATION_TX_FAILED', message, {
    data: {
      ...(failure.data === undefined ? {} : { errorData: failure.data }),
      ...(failure.call === undefined ? {} : { failedCallData: failure.call }),
      ...(failure.block === undefined ? {} : { approxSimulatedBlock: Number(failure.block) }),
      // No order exists, so the id is random (wire.md H.2 requestId).
      requestId: `0x${randomBytes(32).toString('hex')}`,
    },
  })
}
