import type { Placed } from '@causeway/core/testing'
import { checkToken } from '../engine/authToken.js'
import { type Block, EVERY, type LedgerTx } from '../engine/ledgerTx.js'
import { need, Refusal } from '../engine/refusal.js'
import type { Exchange, Routes } from './exchange.js'
import type { Params } from './params.js'
import { placedJson, waitingJson } from './txJson.js'

const MOST = 100
const EXECUTION_MS = 300

/** Position of a transaction in the exchange's order. */
const cursorOf = ({ tx, block }: Placed<LedgerTx, Block>): string => `${block.height}-${tx.sequence}`

/** A page of a history, newest first: `index` skips transactions, `cursor` continues after one. @throws Refusal */
const pageOf = (exchange: Exchange, name: string, params: Params) => {
  const limit = params.integer('limit', MOST)
  need(limit > 0, 'invalidParam', 'limit')
  const types = params.all.getAll('types').flatMap((text) => text.split(',').filter((type) => type !== ''))
  const history = [...exchange.view.history(name)].reverse()
  const cursor = params.all.get('cursor')
  const after = cursor === null ? 0 : history.findIndex((placed) => cursorOf(placed) === cursor) + 1
  need(cursor === null || after > 0, 'invalidParam', 'cursor')
  const left = history
    .slice(after)
    .filter(({ tx }) => types.length === 0 || types.includes(`${tx.type}`))
    .slice(params.optional('index', Number.MAX_SAFE_INTEGER, 0))
  const page = left.slice(0, exchange.view.limit(limit, MOST))
  const last = page.at(-1)
  const hasMore = last !== undefined && page.length < left.length
  const txs = page.map((placed) => placedJson(exchange, placed))
  return { txs, ...(hasMore ? { next_cursor: cursorOf(last) } : {}) }
}

/** A transaction of a block, or one that waits where the node shows the whole ledger. @throws Refusal */
const transactionOf = (exchange: Exchange, fits: (tx: { hash: string; sequence: number }) => boolean, hash = '') => {
  const { ledger, view } = exchange
  const placed = view.find(hash) ?? (hash === '' ? view.history(EVERY).find(({ tx }) => fits(tx)) : undefined)
  if (placed) return placedJson(exchange, placed)
  const waiting = view.isCurrent ? ledger.waiting(fits) : null
  if (waiting !== null) return waitingJson(waiting.tx, waiting.status)
  throw new Refusal('transactionNotFound')
}

export const transactionRoutes = (exchange: Exchange): Routes => ({
  sendTx: ({ params }) => {
    const { ledger } = exchange
    const { hash } = ledger.submit(params.integer('tx_type', 255), params.text('tx_info'))
    const message = JSON.stringify({ ratelimit: "didn't use volume quota" })
    return { message, tx_hash: hash, predicted_execution_time_ms: ledger.blocks.nowMs + EXECUTION_MS }
  },
  tx: ({ params }) => {
    if (params.by('hash', 'sequence_index') === 'sequence_index') {
      const sequence = params.integer('value')
      return transactionOf(exchange, (tx) => tx.sequence === sequence)
    }
    const asked = params.text('value').replace(/^0x/, '').toLowerCase()
    return transactionOf(exchange, ({ hash }) => hash === asked, asked)
  },
  accountTxs: ({ params, token }) => {
    params.by('account_index')
    const account = params.index('value')
    checkToken(exchange.ledger.open, token, account, exchange.ledger.blocks.now)
    return pageOf(exchange, account, params)
  },
  txs: ({ params }) => pageOf(exchange, EVERY, params),
  blockTxs: ({ params }) => {
    params.by('block_height', 'height')
    const block = exchange.view.block(params.integer('value'))
    need(block !== null, 'blockNotFound')
    return { txs: block.transactions.map((tx) => placedJson(exchange, { tx, block })) }
  },
})
