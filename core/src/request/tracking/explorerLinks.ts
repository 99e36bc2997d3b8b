import type { Chain } from '../../chain/chainRegistry.js'

const WEB = /^https?:\/\//i

/** The block explorer of a chain without a slash at its end; null: none is configured, or not one that a browser opens. */
export const explorerRoot = (chain: Chain | undefined): string | null => {
  const url = chain?.config.explorerUrl
  return url === undefined || !WEB.test(url) ? null : url.replace(/\/+$/, '')
}

/** Where people look a transaction up; null where the chain has no explorer. */
export const transactionLink = (chain: Chain | undefined, txId: string): string | null => {
  const root = explorerRoot(chain)
  if (root === null || chain === undefined) return null
  return `${root}${chain.adapter.explorerPaths().transaction.replace('{TX_HASH}', encodeURIComponent(txId))}`
}
