import type { Simulation } from '@causeway/core/chain'
import type { FailReason } from '@causeway/core/plugin'

export type FailedSimulation = Extract<Simulation, { ok: false }>

/** Why a deposit goes back whose fill the chain refuses. */
export const refusalReason = ({ kind }: FailedSimulation): FailReason => {
  if (kind === 'insufficient-funds') return 'SOLVER_BALANCE_TOO_LOW'
  return kind === 'recipient-cannot-receive' ? 'DESTINATION_TOKEN_TRANSFER_REJECTED' : 'EXECUTION_REVERTED'
}

/** What clients are told of a fill that failed: public ones end their wait by these first words (wire.md H.3). Null for nothing. */
export const failedText = (message: string | null): string | null =>
  message === null ? null : `Transaction failed: ${message}`.slice(0, 500)
