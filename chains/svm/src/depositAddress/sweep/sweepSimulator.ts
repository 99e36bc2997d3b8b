import { ServiceError } from '@causeway/core'
import type { Payout, Simulation } from '@causeway/core/chain'
import { type JsonRpcClient, resultOf } from '@causeway/core/chain-kit'
import { NATIVE } from '../../address/addresses.js'
import { compileMessage } from '../../lane/laneTransaction.js'
import type { SvmSettings } from '../../options.js'
import { budgetInstructions, MAX_UNITS } from '../../payout/budget.js'
import { NOT_SIMULATED, SHORT_OF_FEES, SOLVER_SHORT_OF_FEES, TRANSIENT } from '../../payout/failure/failureKinds.js'
import { readTransactionError } from '../../payout/failure/transactionError.js'
import type { FeeSource } from '../../payout/fees/feeSource.js'
import { excessBytes } from '../../payout/payoutBytes.js'
import { type RpcSimulation, simulateCall } from '../../rpc/simulateMessage.js'
import type { RpcContext } from '../../rpc/wire.js'
import { SOME_SEQUENCE, type SweepForm, type SweepForms } from './sweepForm.js'

export interface SweepSimulatorDeps {
  readonly rpc: JsonRpcClient
  readonly fees: Pick<FeeSource, 'rent'>
  readonly forms: SweepForms
  readonly settings: Pick<SvmSettings, 'depositoryProgram'>
}

type Failure = Extract<Simulation, { ok: false }>

const SOME_BLOCKHASH = NATIVE

/** Runs a sweep as the lane would send it, with what lies at the address now. @throws ServiceError when no node answers */
export const simulateSweep = async (
  payout: Payout,
  { rpc, fees, forms, settings }: SweepSimulatorDeps,
): Promise<Omit<Extract<Simulation, { ok: true }>, 'block'> | Failure> => {
  const form = await forms.build(payout, SOME_SEQUENCE)
  if ('refused' in form) return { ok: false, kind: 'insufficient-funds', message: form.refused }
  const instructions = [...budgetInstructions(MAX_UNITS, 0n), ...form.instructions]
  const excess = excessBytes(instructions, payout.from)
  if (excess > 0) {
    return { ok: false, kind: 'too-large', message: `The sweep is ${excess} bytes too large for one transaction.` }
  }
  const message = compileMessage(instructions, payout.from, SOME_BLOCKHASH)
  const [[run], accountCreation] = await Promise.all([rpc.gather([simulateCall(message)]), openingCost(form, fees)])
  const { value } = resultOf<RpcContext<RpcSimulation>>(run, 'simulateTransaction')
  if (value.err === null) {
    const gas = BigInt(value.unitsConsumed ?? Number(MAX_UNITS))
    return { ok: true, gas, ...(accountCreation === 0n ? {} : { accountCreation }) }
  }
  const programs = message.compiledInstructions.map(
    ({ programIdIndex }) => message.staticAccountKeys[programIdIndex]?.toBase58() ?? '',
  )
  const depository = settings.depositoryProgram
  const failure = readTransactionError(value.err, { programs, logs: value.logs, depository })
  if (TRANSIENT.has(failure.name)) return { ok: false, kind: 'transient', message: NOT_SIMULATED }
  if (SHORT_OF_FEES.has(failure.name)) {
    return { ok: false, kind: 'insufficient-funds', message: SOLVER_SHORT_OF_FEES, data: failure.data }
  }
  return { ok: false, kind: 'revert', message: `The sweep would fail: ${failure.text}`, data: failure.data }
}

/** Rent that the lane leaves in accounts of the depository. */
export const openingCost = async (
  { opens }: Pick<SweepForm, 'opens'>,
  fees: Pick<FeeSource, 'rent'>,
): Promise<bigint> => {
  const rents = await Promise.all(opens.map((bytes) => fees.rent(bytes)))
  return rents.reduce((sum, rent) => sum + rent, 0n)
}

/** Stands in for the sweeps of a chain whose configuration has no deposit addresses. */
export const noSweeps = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses: set "depositPoolKey" in its options.')
