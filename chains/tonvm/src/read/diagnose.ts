import { type ChainDiagnosis, diagnoseHistory } from '@causeway/core/chain-kit'
import type { TonSettings } from '../options.js'
import { LAG_BLOCKS } from '../rpc/probe.js'
import type { TonNode } from '../rpc/tonApi.js'
import { askBlock, askNewest } from './accounts.js'

/** A masterchain block comes every few seconds: without one for so long the network stands still, or the node does. */
const STALE_SECONDS = 60

/** How `doctor` checks the nodes of a network. */
export const chainDiagnosis = ({
  genesisHash,
  startBlock: start,
}: TonSettings): Omit<ChainDiagnosis<TonNode>, 'onChain'> => ({
  ...{ unit: 'masterchain block', maxBehind: LAG_BLOCKS, staleSeconds: STALE_SECONDS },
  otherChain: {
    message: 'serves another network by its zero state',
    ...(genesisHash === null ? {} : { expected: genesisHash }),
    remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
  },
  read: async (node, subject) => {
    const { height, time } = await askNewest(node)
    const history = async () => {
      const isThere = start === null || (await askBlock(node, BigInt(start))) !== null
      return diagnoseHistory(subject, { unit: 'block', option: 'startBlock', start, since: isThere ? 0n : height })
    }
    return { height, time, history }
  },
})
