import { setTimeout as delay } from 'node:timers/promises'
import type { ContractReport, ContractSession, ContractStep, SignedStep } from '@causeway/core/chain'
import { failpoint } from '@causeway/core/plugin'
import type { ContractJournal } from './contractJournal.js'

/** How long a transaction is waited for before its fee is raised, and how often it is asked after. */
export interface DeployPace {
  readonly patienceMs: number
  readonly pollMs: number
}

export interface DeployDeps {
  readonly chainId: number
  readonly session: ContractSession
  readonly journal: ContractJournal
  readonly pace: DeployPace
  print(line: string): void
}

/** A deployment cannot go on; the message says why and what to do. */
export class DeployError extends Error {
  override readonly name = 'DeployError'
}

const MOST_VERSIONS = 8
/** Steps of one chain are far fewer; a chain that shows no result of them is not asked for ever. */
const MOST_STEPS = 500
/** How often a step is looked at again after its transaction landed: another node may be behind. */
const LAGGING_LOOKS = 15

/**
 * Takes every step that is lacking, one after the other: looks at the chain, signs, stores, sends, waits. Whatever an earlier run
 * stored for a step is sent again before anything is signed for it.
 * @throws DeployError
 */
export const deployContracts = async (deps: DeployDeps): Promise<ContractReport> => {
  const landed = new Map<string, number>()
  for (let taken = 0; taken < MOST_STEPS; taken += 1) {
    const report = await deps.session.inspect()
    const step = report.steps.find(({ state }) => state === 'needed')
    if (step === undefined) return report
    const seen = landed.get(step.id) ?? 0
    if (seen >= LAGGING_LOOKS) {
      // No node is behind any more: it was done once and has been undone since.
      deps.journal.drop(deps.chainId, step.id)
      landed.delete(step.id)
    } else if (seen > 0) await delay(deps.pace.pollMs)
    await takeStep(step, deps)
    landed.set(step.id, seen + 1)
  }
  throw new DeployError('The chain never shows what was done on it. Look at the accounts, then run this again.')
}

const takeStep = async (step: ContractStep, deps: DeployDeps): Promise<void> => {
  const { chainId, journal, session, print } = deps
  const stored = journal.attempts(chainId, step.id)
  if (stored.length > 0) print(`${step.title}: going on with what was signed before`)
  else print(`${step.title}: ${step.detail}`)
  for (let version = stored.length; ; version += 1) {
    const attempts = journal.attempts(chainId, step.id)
    const outcome = attempts.length === 0 ? 'gone' : await settle(attempts, deps)
    if (outcome === 'landed') return
    if (outcome === 'failed') {
      journal.drop(chainId, step.id)
      throw new DeployError(`${step.title}: the transaction was included and did not succeed. Run this again to retry.`)
    }
    if (outcome === 'gone' && attempts.length > 0) {
      // Something else took its nonce for ever: whether the step is still lacking, the chain is asked anew.
      journal.drop(chainId, step.id)
      return
    }
    if (version >= MOST_VERSIONS)
      throw new DeployError(`${step.title}: is in no block yet. Run this again later: it goes on from here.`)
    const signed = await session.sign(step, attempts.at(-1) ?? null)
    if (attempts.some(({ txId }) => txId === signed.txId)) continue
    await failpoint('contracts.store.before')
    journal.add(chainId, step.id, signed)
    await failpoint('contracts.store.after')
    await session.send(signed)
    await failpoint('contracts.send.after')
    print(`  sent ${signed.txId}`)
  }
}

/** Sends what is stored again and waits; the first of them to land counts. */
const settle = async (
  attempts: readonly SignedStep[],
  { session, pace }: DeployDeps,
): Promise<'landed' | 'failed' | 'open' | 'gone'> => {
  const deadline = performance.now() + pace.patienceMs
  const last = attempts.at(-1)
  for (;;) {
    const outcomes = await Promise.all(attempts.map((attempt) => session.outcome(attempt)))
    for (const decisive of ['landed', 'failed'] as const) if (outcomes.includes(decisive)) return decisive
    if (outcomes.every((outcome) => outcome === 'gone')) return 'gone'
    if (performance.now() >= deadline) return 'open'
    if (last !== undefined) await session.send(last)
    await delay(pace.pollMs)
  }
}
