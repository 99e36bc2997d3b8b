import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type ChainDiagnosis, diagnoseChain, diagnoseHistory, diagnoseOwnAccounts } from '@causeway/core/chain-kit'
import { askNewest, askOldest } from '../rpc/blocks.js'
import type { MirrorNode, MirrorPool } from '../rpc/mirrorNode.js'
import { LAG_BLOCKS } from '../rpc/probe.js'
import { accountQuestions, type OwnAccountsDeps, ownAccountsOf } from './ownAccounts.js'

export interface DiagnoseDeps extends OwnAccountsDeps {
  readonly pool: MirrorPool
}

/** A block comes about every two seconds: without one for so long the network stands still, or the mirror node does. */
const STALE_SECONDS = 60

/** Every mirror node by itself, then against the others, then our accounts by one that works. */
export const diagnose = (request: DiagnosisRequest, deps: DiagnoseDeps): Promise<readonly Diagnosis[]> => {
  const { config, settings, pool } = deps
  const { genesisHash, startBlock: start } = settings
  const chain: ChainDiagnosis<MirrorNode> = {
    unit: 'block',
    maxBehind: LAG_BLOCKS,
    staleSeconds: STALE_SECONDS,
    otherChain: {
      message: 'serves another network by the hash of its block 0',
      ...(genesisHash === null ? {} : { expected: genesisHash }),
      remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
    },
    read: async (node, subject) => {
      const { height, time } = await askNewest(node)
      return {
        ...{ height, time },
        history: async () => {
          const { height: since } = await askOldest(node)
          return diagnoseHistory(subject, { unit: 'block', option: 'startBlock', start, since })
        },
      }
    },
    onChain: (node) => diagnoseOwnAccounts(ownAccountsOf(deps, request), accountQuestions(node, deps)),
  }
  return diagnoseChain(chain, request, { pool, config })
}
