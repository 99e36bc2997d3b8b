import { readFileSync } from 'node:fs'
import { Cell, loadTransaction, type TransactionDescriptionGeneric } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { hasRun, isCredited } from './readDeposits.js'

interface Recorded {
  readonly transactions: readonly { readonly name: string; readonly boc: string }[]
}

const file = new URL('../testing/engine/fixtures/transactions.json', import.meta.url)
// CAST: the recorded transactions, whose sources the file names.
const { transactions } = JSON.parse(readFileSync(file, 'utf8')) as Recorded

const recorded = (name: string) => {
  const boc = transactions.find((one) => one.name === name)?.boc ?? ''
  return loadTransaction(Cell.fromBase64(boc).beginParse())
}

const ordinary = recorded('transaction')

const genericOf = (): TransactionDescriptionGeneric => {
  if (ordinary.description.type !== 'generic') throw new Error('The transaction is not ordinary')
  return ordinary.description
}

const changed = (description: Partial<TransactionDescriptionGeneric>) => ({
  ...ordinary,
  description: { ...genericOf(), ...description },
})

const { computePhase, actionPhase } = genericOf()

describe('a transaction credits its value (chains.md tonvm 4)', () => {
  it.each(['transaction', 'state init transaction', 'messages with external addresses'])('%s, recorded', (name) => {
    expect(isCredited(recorded(name))).toBe(true)
  })

  it('when the account has no code, though it is aborted', () => {
    expect(isCredited(changed({ computePhase: { type: 'skipped', reason: 'no-state' }, aborted: true }))).toBe(true)
  })

  it('when its code asked for no action', () => {
    expect(isCredited(changed({ actionPhase: null }))).toBe(true)
  })
})

describe('a transaction does not credit its value', () => {
  it('that is no ordinary one', () => {
    expect(isCredited(recorded('tick/tock transactions'))).toBe(false)
  })

  if (computePhase.type !== 'vm' || !actionPhase) throw new Error('The recorded transaction has both phases')
  it.each<[string, Partial<TransactionDescriptionGeneric>]>([
    ['that was aborted', { aborted: true }],
    ['whose code ended with an error', { computePhase: { ...computePhase, success: false, exitCode: 35 } }],
    ['whose exit code is not 0', { computePhase: { ...computePhase, exitCode: 1 } }],
    ['whose account has a bad state', { computePhase: { type: 'skipped', reason: 'bad-state' }, aborted: true }],
    ['without gas', { computePhase: { type: 'skipped', reason: 'no-gas' }, aborted: true }],
    ['whose actions failed', { actionPhase: { ...actionPhase, success: false } }],
    ['whose actions are not valid', { actionPhase: { ...actionPhase, valid: false } }],
    ['whose actions have a result', { actionPhase: { ...actionPhase, resultCode: 37 } }],
  ])('%s', (_, description) => {
    expect(isCredited(changed(description))).toBe(false)
  })
})

describe('code that credits jettons', () => {
  it('ran in a recorded transaction', () => {
    expect(hasRun(ordinary)).toBe(true)
  })

  it.each(['no-state', 'bad-state', 'no-gas'] as const)(
    'did not run in a transaction that was skipped for %s',
    (reason) => {
      expect(hasRun(changed({ computePhase: { type: 'skipped', reason } }))).toBe(false)
    },
  )
})
