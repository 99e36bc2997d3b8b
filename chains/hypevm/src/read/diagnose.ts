import { type ChainDiagnosis, diagnoseHistory } from '@causeway/core/chain-kit'
import type { HypeSettings } from '../options.js'
import type { ExchangeNode } from '../rpc/exchangeNode.js'
import { LAG_MS } from '../rpc/probe.js'
import { askTime } from '../rpc/status.js'

/** Blocks come several times a second: without one for so long the exchange stands still. */
const STALE_SECONDS = 30

/** How `doctor` checks the API servers of the exchange. */
export const chainDiagnosis = ({
  spotUsdc,
  startTime,
}: Pick<HypeSettings, 'spotUsdc' | 'startTime'>): Omit<ChainDiagnosis<ExchangeNode>, 'onChain'> => ({
  ...{ unit: 'millisecond', maxBehind: LAG_MS, staleSeconds: STALE_SECONDS },
  otherChain: {
    ...{ message: 'serves another network by its spot USDC', expected: spotUsdc },
    remedy: 'Correct the URL, or "testnet" and "spotUsdc" in the chain\'s options.',
  },
  read: async (node, subject) => {
    const time = await askTime(node)
    // The exchange lists every transfer of an account since it began.
    const history = () =>
      diagnoseHistory(subject, { unit: 'millisecond', option: 'startTime', start: startTime, since: 0n })
    return { height: BigInt(time), time: Math.floor(time / 1000), history }
  },
})
