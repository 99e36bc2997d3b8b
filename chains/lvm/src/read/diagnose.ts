import { type ChainDiagnosis, diagnoseHistory } from '@causeway/core/chain-kit'
import type { LighterSettings } from '../options.js'
import { askHead } from '../rpc/blocks.js'
import { knownSince } from '../rpc/history.js'
import type { LighterNode } from '../rpc/lighterNode.js'
import { LAG_BLOCKS } from '../rpc/probe.js'

/** Blocks come several times a second: without one for so long the exchange stands still, or the node does. */
const STALE_SECONDS = 60

/** How `doctor` checks the API servers of an exchange. */
export const chainDiagnosis = ({
  contractAddress,
  startBlock: start,
}: LighterSettings): Omit<ChainDiagnosis<LighterNode>, 'onChain'> => ({
  ...{ unit: 'block', maxBehind: LAG_BLOCKS, staleSeconds: STALE_SECONDS },
  otherChain: {
    message: 'serves another exchange by the contract that it shows',
    ...(contractAddress === null ? {} : { expected: contractAddress }),
    remedy: 'Correct the URL, or "contractAddress" in the chain\'s options.',
  },
  read: async (node, subject) => {
    const { height, time } = await askHead(node)
    const history = async () => {
      const since = await knownSince(node, start === null ? 1n : BigInt(start))
      return diagnoseHistory(subject, { unit: 'block', option: 'startBlock', start, since })
    }
    return { height, time, history }
  },
})
