import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type ChainDiagnosis, diagnoseChain, diagnoseHistory, diagnoseOwnAccounts } from '@causeway/core/chain-kit'
import { LAG_BLOCKS } from '../rpc/probe.js'
import type { TonNode, TonPool } from '../rpc/tonApi.js'
import { askBlock, askNewest } from './accounts.js'
import { accountQuestions, type OwnAccountsDeps, ownAccountsOf } from './ownAccounts.js'

export interface DiagnoseDeps extends OwnAccountsDeps {
  readonly pool: TonPool
}

/** A masterchain block comes every few seconds: without one for so long the network stands still, or the node does. */
const STALE_SECONDS = 60

/** Every node by itself, then against the others, then our accounts by one that works. */
export const diagnose = (request: DiagnosisRequest, deps: DiagnoseDeps): Promise<readonly Diagnosis[]> => {
  const { config, settings, pool } = deps
  const { genesisHash, startBlock: start } = settings
  const chain: ChainDiagnosis<TonNode> = {
    unit: 'masterchain block',
    maxBehind: LAG_BLOCKS,
    staleSeconds: STALE_SECONDS,
    otherChain: {
      message: 'serves another network by its zero state',
      ...(genesisHash === null ? {} : { expected: genesisHash }),
      remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
    },
    read: async (node, subject) => {
      const { height, time } = await askNewest(node)
      return {
        ...{ height, time },
        history: async () => {
          const isThere = start === null || (await askBlock(node, BigInt(start))) !== null
          return diagnoseHistory(subject, { unit: 'block', option: 'startBlock', start, since: isThere ? 0n : height })
        },
      }
    },
    onChain: (node) => diagnoseOwnAccounts(ownAccountsOf(deps, request), accountQuestions(node, deps)),
  }
  return diagnoseChain(chain, request, { pool, config })
}
