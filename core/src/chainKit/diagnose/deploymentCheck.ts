import type { ChainConfig } from '../../chain/chainPackage.js'
import type { Diagnosis, DiagnosisRequest } from '../../chain/endpoint/diagnosis.js'
import type { JsonRpcEndpoint } from '../endpoints/clients/jsonRpcEndpoint.js'
import type { NamedEndpoint } from '../quorum/depositVote.js'
import type { ChainDiagnosis } from './chainDiagnosis.js'
import { type DiagnoseChainDeps, diagnoseChain } from './diagnoseChain.js'
import {
  diagnoseOwnAccounts,
  type OwnAccountQuestions,
  type OwnAccountsTerms,
  verifyOwnAccounts,
} from './ownAccounts.js'

export interface DeploymentParts<Node extends NamedEndpoint, State> extends Pick<DiagnoseChainDeps<Node>, 'pool'> {
  readonly chain: Omit<ChainDiagnosis<Node>, 'onChain'>
  /** The accounts of the deployment. */
  readonly terms: Omit<OwnAccountsTerms, 'allocator'> & { readonly config: ChainConfig }
  /** Answers about accounts by one node. */
  questions(node: Node): OwnAccountQuestions<State>
}

/** Checks nodes and accounts of a deployment whose depository is an account: `diagnose` and the question `verify` of an adapter. */
export const deploymentCheck = <State, Node extends NamedEndpoint = JsonRpcEndpoint>({
  chain,
  pool,
  terms,
  questions,
}: DeploymentParts<Node, State>) => {
  const termsOf = ({ allocator }: Pick<DiagnosisRequest, 'allocator'>): OwnAccountsTerms => ({ ...terms, allocator })
  return {
    /** Checks each node, compares the nodes, and checks the accounts by a node that works. */
    diagnose: (request: DiagnosisRequest): Promise<readonly Diagnosis[]> => {
      const onChain = (node: Node) => diagnoseOwnAccounts(termsOf(request), questions(node))
      return diagnoseChain({ ...chain, onChain }, request, { pool, config: terms.config })
    },
    /** Compares the accounts with the chain. @throws ServiceError if the node does not answer */
    verify: (node: Node, expected: Pick<DiagnosisRequest, 'allocator'>): Promise<readonly Diagnosis[]> =>
      verifyOwnAccounts(termsOf(expected), questions(node)),
  }
}
