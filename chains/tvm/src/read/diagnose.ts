import type { ChainConfig, Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type ChainDiagnosis, diagnoseChain, diagnoseHistory, diagnoseNamedAllocator } from '@causeway/core/chain-kit'
import { selectorOf } from '../address/abi.js'
import { addressOf, validateAddress } from '../address/addresses.js'
import type { TronSettings } from '../options.js'
import { askAccount } from '../rpc/accounts.js'
import { askHead, askOldest } from '../rpc/blocks.js'
import { askWord } from '../rpc/contracts.js'
import { LAG_BLOCKS } from '../rpc/probe.js'
import type { Asked, TronNode, TronPool } from '../rpc/tronNode.js'

/** A block comes every three seconds: without one for so long the network stands still, or the node does. */
const STALE_SECONDS = 60

export interface DiagnosisDeps {
  readonly config: ChainConfig
  readonly settings: TronSettings
  readonly pool: TronPool
}

/** Checks each node, compares the nodes, and checks contract and solver by a node that works. */
export const diagnose = (request: DiagnosisRequest, deps: DiagnosisDeps): Promise<readonly Diagnosis[]> => {
  const { config, pool } = deps
  const onChain = async (node: TronNode) => [
    ...(await verifyDepository(node, deps, request)),
    ...(config.solver === '' ? [] : [await solverFinding(node, config)]),
  ]
  return diagnoseChain({ ...chainDiagnosis(deps.settings), onChain }, request, { pool, config })
}

const chainDiagnosis = ({
  genesisHash,
  startBlock: start,
}: TronSettings): Omit<ChainDiagnosis<TronNode>, 'onChain'> => ({
  ...{ unit: 'block', maxBehind: LAG_BLOCKS, staleSeconds: STALE_SECONDS },
  otherChain: {
    message: 'serves another network by the id of its block 0',
    ...(genesisHash === null ? {} : { expected: genesisHash }),
    remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
  },
  read: async (node, subject) => {
    const { height, time } = await askHead(node)
    const history = async () => {
      const { height: since } = await askOldest(node)
      return diagnoseHistory(subject, { unit: 'block', option: 'startBlock', start, since: since <= 1n ? 0n : since })
    }
    return { height, time, history }
  },
})

const ALLOCATOR = selectorOf('allocator()')

/** Whether the depository is a contract that obeys the allocator key. @throws ServiceError when the node does not answer */
export const verifyDepository = async (
  asked: Asked,
  { config, settings }: Pick<DiagnosisDeps, 'config' | 'settings'>,
  { allocator }: Pick<DiagnosisRequest, 'allocator'>,
): Promise<readonly Diagnosis[]> => {
  const subject = `${config.slug} depository`
  const [account, named] = await Promise.all([
    askAccount(asked, settings.depository),
    askWord(asked, settings.depository, ALLOCATOR),
  ])
  const fault = {
    subject,
    state: 'fault',
    remedy: 'Correct "depository" in the chain\'s options, or deploy it.',
  } as const
  if (account?.isContract !== true)
    return [{ ...fault, check: 'contract', message: 'there is no contract at the configured address' }]
  const deployed = { check: 'contract', subject, state: 'ok', message: 'is deployed' } as const
  if (named === null)
    return [deployed, { ...fault, check: 'allocator', message: 'does not name its allocator: it is another contract' }]
  const key = allocator === null ? null : validateAddress(allocator)
  const obeyed = addressOf(named.toString(16).padStart(40, '0'))
  return [deployed, diagnoseNamedAllocator(subject, obeyed, key?.ok === true ? key.canonical : null)]
}

const solverFinding = async (asked: Asked, { slug, solver }: ChainConfig): Promise<Diagnosis> => {
  const named = validateAddress(solver)
  const account = named.ok ? await askAccount(asked, named.canonical) : null
  const common = { check: 'account', subject: `${slug} solver` }
  if (account !== null && account.balance > 0n)
    return { ...common, state: 'ok', message: `exists, and holds ${account.balance} sun` }
  return {
    ...common,
    state: 'fault',
    message: 'holds no TRX, so nothing can be paid out',
    remedy: `Send TRX to ${solver}: payments and fees are paid from it.`,
  }
}
