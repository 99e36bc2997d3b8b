import { readFileSync } from 'node:fs'
import { beginCell, Cell, loadMessage, storeMessage } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { bocOfRoots } from '../server/v4/bocOfRoots.js'
import { externalHash, rawInMessage } from './messageHashes.js'
import { readTransaction } from './tonTx.js'

interface Recorded {
  readonly name: string
  readonly explorer: string | null
  readonly hash: string | null
  readonly boc: string
}

// CAST: the recorded transactions, whose sources the file names.
const { transactions } = JSON.parse(readFileSync(new URL('fixtures/transactions.json', import.meta.url), 'utf8')) as {
  readonly transactions: readonly Recorded[]
}

const bocNamed = (name: string): string => transactions.find((one) => one.name === name)?.boc ?? ''

describe('recorded transactions of the public networks', () => {
  it.each(transactions)('$name: its hash is that of explorers', ({ boc, hash, explorer }) => {
    const tx = readTransaction(boc, '0:0')
    if (hash !== null) expect(tx.hash).toBe(hash)
    const lt = /&lt=(\d+)/.exec(explorer ?? '')?.[1]
    if (lt !== undefined) expect(tx.lt).toBe(BigInt(lt))
  })

  it('one bag of cells holds all of them, also with exotic cells', () => {
    const cells = transactions.map(({ boc }) => Cell.fromBase64(boc))
    const read = Cell.fromBoc(bocOfRoots(cells))
    expect(read.map((cell) => cell.hash().toString('hex'))).toEqual(cells.map((cell) => cell.hash().toString('hex')))
  })

  it('a transaction is known by the hash of its external message, however that was serialised', () => {
    const boc = bocNamed('state init transaction')
    const { messageHashes } = readTransaction(boc, '0:0')
    const message = loadMessage(rawInMessage(Cell.fromBase64(boc)).beginParse())
    const hash = externalHash(message)
    expect(messageHashes).toContain(hash)
    for (const forceRef of [true, false]) {
      const cell = beginCell().store(storeMessage(message, { forceRef })).endCell()
      expect(externalHash(loadMessage(cell.beginParse()))).toBe(hash)
    }
  })

  it('a transaction without a message is known by its own hash alone', () => {
    expect(readTransaction(bocNamed('tick/tock transactions'), '-1:0').messageHashes).toEqual([])
  })
})
