import type { MatrixChain } from '../../transfers/matrixChains.js'

/** An exchange whose payouts are measured. */
export interface Exchange {
  readonly name: string
  readonly package: string
  /** Symbol of its native currency. */
  readonly symbol: string
  /** Path of the requests that carry payments. */
  readonly submit: string
  /** When the ledger got the newest transfer to the depository, Unix milliseconds. */
  ledgerTime(chain: MatrixChain): Promise<number>
}

const ask = async <Answer>(url: string, body?: object): Promise<Answer> => {
  const posted = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(url, body === undefined ? {} : posted)
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`)
  // CAST: the caller names the shape of the exchange's API.
  return (await response.json()) as Answer
}

const ofHyperliquid: Exchange['ledgerTime'] = async ({ local, deployment: { depository } }) => {
  const asked = { type: 'userNonFundingLedgerUpdates', user: depository, startTime: 0 }
  const updates = await ask<readonly { readonly time: number }[]>(`${local.endpoint.http}/info`, asked)
  return updates.at(-1)?.time ?? Number.NaN
}

interface ListedTransaction {
  readonly block_height: number
  readonly info: string
}

const ofLighter: Exchange['ledgerTime'] = async ({ local, deployment: { depository } }) => {
  const api = `${local.endpoint.http}/api/v1`
  const { txs } = await ask<{ readonly txs: readonly ListedTransaction[] }>(`${api}/txs?limit=100&index=0`)
  const own = txs.filter(({ info }) => String(JSON.parse(info).ToAccountIndex) === depository)
  const height = Math.max(...own.map(({ block_height }) => block_height))
  const answer = await ask<{ readonly blocks: readonly { readonly committed_at: number }[] }>(
    `${api}/block?by=height&value=${height}`,
  )
  return answer.blocks[0]?.committed_at ?? Number.NaN
}

export const EXCHANGES: readonly Exchange[] = [
  {
    ...{ name: 'Hyperliquid', package: '@causeway/chain-hypevm', symbol: 'USDC', submit: '/exchange' },
    ledgerTime: ofHyperliquid,
  },
  {
    ...{ name: 'Lighter', package: '@causeway/chain-lvm', symbol: 'USDC', submit: '/api/v1/sendTx' },
    ledgerTime: ofLighter,
  },
]
