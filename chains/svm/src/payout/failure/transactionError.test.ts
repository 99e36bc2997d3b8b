import { describe, expect, test } from 'vitest'
import { readTransactionError } from './transactionError.js'

const SYSTEM = '11111111111111111111111111111111'
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const ATA = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const DEPOSITORY = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const programs = [SYSTEM, TOKEN, TOKEN_2022, ATA, DEPOSITORY]
const read = (err: unknown, logs: readonly string[] = []) =>
  readTransactionError(err, { programs, logs, depository: DEPOSITORY })
const custom = (at: number, code: number) => ({ InstructionError: [at, { Custom: code }] })

describe('why a transaction failed, in plain words', () => {
  test.each([
    [custom(0, 1), 'ResultWithNegativeLamports', SYSTEM],
    [custom(1, 17), 'AccountFrozen', TOKEN],
    [custom(2, 36), 'NoMemo', TOKEN_2022],
    [custom(2, 37), 'NonTransferable', TOKEN_2022],
    [custom(3, 0), 'InvalidOwner', ATA],
    [custom(4, 6000), 'TransferRequestAlreadyUsed', DEPOSITORY],
    [custom(4, 6011), 'InsufficientVaultBalance', DEPOSITORY],
    [custom(4, 6020), 'InvalidAccountSize', DEPOSITORY],
    [custom(1, 999), 'Custom 999', TOKEN],
    [{ InstructionError: [1, 'InvalidAccountData'] }, 'InvalidAccountData', TOKEN],
    ['BlockhashNotFound', 'BlockhashNotFound', null],
    [{ InsufficientFundsForRent: { account_index: 2 } }, 'InsufficientFundsForRent', null],
    [null, 'Unknown', null],
  ])('%j', (err, name, program) => {
    const failure = read(err)
    expect(failure).toMatchObject({ name, program })
    expect(failure.text).not.toBe('')
  })

  test('the account an error is about', () => {
    expect(read({ InsufficientFundsForRent: { account_index: 2 } }).account).toBe(2)
  })

  test('a program that was called gives its own error, not its caller', () => {
    const logs = [
      `Program ${ATA} invoke [1]`,
      `Program ${SYSTEM} invoke [2]`,
      `Program ${SYSTEM} failed: custom program error: 0x1`,
      `Program ${ATA} failed: custom program error: 0x1`,
    ]
    expect(read(custom(3, 1), logs)).toMatchObject({
      name: 'ResultWithNegativeLamports',
      program: SYSTEM,
      instruction: 3,
    })
  })

  test('hostile text is cut and cleaned (F62)', () => {
    const failure = read({ [`\u0007${'x'.repeat(5000)}`]: {} })
    expect(failure.text.length).toBeLessThanOrEqual(300)
    expect(JSON.stringify(failure.data).length).toBeLessThan(1000)
  })
})

test('F161: an error that is nested without an end is told like any other', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(read({ InstructionError: [0, deep] })).toMatchObject({ name: '0', instruction: 0 })
})
