import { setTimeout as delay } from 'node:timers/promises'
import type { MatrixChain } from '../../transfers/matrixChains.js'

/** An exchange whose payouts are measured. */
export interface Exchange {
  readonly name: string
  readonly package: string
  /** Symbol of its native currency. */
  readonly symbol: string
  /** Path of the requests that carry payments. */
  readonly submit: string
  /** Transfers to the depository that the ledger has, by the time that it gives them where that is exact, Unix milliseconds. */
  transfers(chain: MatrixChain): Promise<readonly { readonly time: number | null }[]>
}

const POLL_MS = 5

/** When the ledger gets the next transfer to the depository, Unix milliseconds. */
export const nextTransfer = async ({ transfers }: Exchange, chain: MatrixChain): Promise<number> => {
  const { length } = await transfers(chain)
  for (;;) {
    const found = await transfers(chain)
    if (found.length > length) return found.at(-1)?.time ?? Date.now()
    await delay(POLL_MS)
  }
}

const ask = async <Answer>(url: string, body?: object): Promise<Answer> => {
  const posted = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(url, body === undefined ? {} : posted)
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`)
  // CAST: the caller names the shape of the exchange's API.
  return (await response.json()) as Answer
}

const ofHyperliquid: Exchange['transfers'] = ({ local, deployment: { depository } }) =>
  ask<readonly { readonly time: number }[]>(`${local.endpoint.http}/info`, {
    ...{ type: 'userNonFundingLedgerUpdates', user: depository, startTime: 0 },
  })

interface ListedTransaction {
  readonly block_height: number
  readonly info: string
}

/** Its times are whole seconds. */
const ofLighter: Exchange['transfers'] = async ({ local, deployment: { depository } }) => {
  const url = `${local.endpoint.http}/api/v1/txs?limit=100&index=0`
  const { txs } = await ask<{ readonly txs: readonly ListedTransaction[] }>(url)
  return txs
    .filter(({ info, block_height }) => block_height > 0 && String(JSON.parse(info).ToAccountIndex) === depository)
    .map(() => ({ time: null }))
}

export const EXCHANGES: readonly Exchange[] = [
  {
    ...{ name: 'Hyperliquid', package: '@causeway/chain-hypevm', symbol: 'USDC', submit: '/exchange' },
    transfers: ofHyperliquid,
  },
  {
    ...{ name: 'Lighter', package: '@causeway/chain-lvm', symbol: 'USDC', submit: '/api/v1/sendTx' },
    transfers: ofLighter,
  },
]
