import type { ChainConfig, Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type ChainDiagnosis, diagnoseChain, diagnoseDepositoryAccount } from '@causeway/core/chain-kit'
import { validateAddress } from './address.js'
import type { LedgerNode } from './ledgerNode.js'
import { LAG_BLOCKS } from './ledgerProbe.js'

/** A ledger makes a block each second: without one for so long it stands still. */
const STALE_SECONDS = 60

export interface DiagnosisDeps {
  readonly node: LedgerNode
  readonly config: ChainConfig
  readonly depository: string
}

/** Every endpoint by itself, then against the others, then who signs for the depository. */
export const diagnoseLedger = (
  request: DiagnosisRequest,
  { node, config, depository }: DiagnosisDeps,
): Promise<readonly Diagnosis[]> => {
  const { allocator } = request
  const chain: ChainDiagnosis = {
    unit: 'block',
    maxBehind: LAG_BLOCKS,
    staleSeconds: STALE_SECONDS,
    otherChain: {
      message: 'serves another ledger than the configured one',
      remedy: 'Correct the URL, or "network" in the chain\'s options.',
    },
    read: async (endpoint, subject) => {
      const { height, time } = await node.head(endpoint)
      const history = async (): Promise<Diagnosis> => {
        await node.transfers(depository, height, height, endpoint)
        return { check: 'rpc history', subject, state: 'ok', message: 'lists the transfers of an account' }
      }
      return { height: BigInt(height), time, history }
    },
    onChain: async () => [
      diagnoseDepositoryAccount({ subject: `${config.slug} depository`, depository, allocator, validateAddress }),
    ],
  }
  return diagnoseChain(chain, request, { pool: node.rpc, config })
}
