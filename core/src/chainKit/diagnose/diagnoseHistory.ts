import type { Diagnosis } from '../../chain/endpoint/diagnosis.js'

export interface HistoryReading {
  /** Name of what the chain's heights count, as `ChainDiagnosis.unit`. */
  readonly unit: string
  /** Oldest height from which on the endpoint has everything; null: it lacks even the newest. */
  readonly since: bigint | null
  /** Option that names the first height to read, and its value; null: not configured. */
  readonly option: string
  readonly start: number | null
}

/** Whether deposits can be read from an endpoint as far back as is configured. */
export const diagnoseHistory = (subject: string, { unit, since, option, start }: HistoryReading): Diagnosis => {
  const found = { check: 'rpc history', subject }
  if (since === null) {
    const message = `has no ${unit} whole, so deposits cannot be found by it`
    return { ...found, state: 'fault', message, remedy: 'Wait until the node has caught up, or use another one.' }
  }
  if (start === null || since <= BigInt(start))
    return { ...found, state: 'ok', message: `has all ${unit}s since ${since}` }
  const message = `has all ${unit}s only since ${since}, "${option}" is ${start}`
  return { ...found, state: 'warning', message, remedy: `Deposits before that ${unit} need a node with more history.` }
}
