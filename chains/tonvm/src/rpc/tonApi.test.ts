import { readFileSync } from 'node:fs'
import { Cell, loadTransaction } from '@ton/core'
import { expect, it } from 'vitest'
import { chainedPage, hexOfBase64, previousOf } from './tonApi.js'

const recorded = readFileSync(new URL('../testing/engine/fixtures/transactions.json', import.meta.url), 'utf8')

it('a page is made of transactions that name each other by their hashes, and of no other one', () => {
  const [text = ''] = recorded.match(/te6cc[A-Za-z0-9+/=]+/g) ?? []
  const cell = Cell.fromBase64(text)
  const transaction = loadTransaction(cell.beginParse())
  const name = { lt: transaction.lt, hash: cell.hash().toString('hex') }
  expect(chainedPage([cell], name).map(({ lt }) => lt)).toEqual([name.lt])
  expect(() => chainedPage([cell], { ...name, hash: '00'.repeat(32) })).toThrow('could not be reached')
  expect(() => chainedPage([cell, cell], name)).toThrow('could not be reached')
  expect(previousOf(transaction).lt).toBe(transaction.prevTransactionLt)
})

it('a hash of another length is no hash', () => {
  expect(() => hexOfBase64('AAAA')).toThrow()
})
