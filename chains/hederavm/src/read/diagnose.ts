import { type ChainDiagnosis, diagnoseHistory } from '@causeway/core/chain-kit'
import type { HederaSettings } from '../options.js'
import { askNewest, askOldest } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { LAG_BLOCKS } from '../rpc/probe.js'

/** A block comes about every two seconds: without one for so long the network stands still, or the mirror node does. */
const STALE_SECONDS = 60

/** How `doctor` checks the mirror nodes of a network. */
export const chainDiagnosis = ({
  genesisHash,
  startBlock: start,
}: HederaSettings): Omit<ChainDiagnosis<MirrorNode>, 'onChain'> => ({
  ...{ unit: 'block', maxBehind: LAG_BLOCKS, staleSeconds: STALE_SECONDS },
  otherChain: {
    message: 'serves another network by the hash of its block 0',
    ...(genesisHash === null ? {} : { expected: genesisHash }),
    remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
  },
  read: async (node, subject) => {
    const { height, time } = await askNewest(node)
    const history = async () => {
      const { height: since } = await askOldest(node)
      return diagnoseHistory(subject, { unit: 'block', option: 'startBlock', start, since })
    }
    return { height, time, history }
  },
})
