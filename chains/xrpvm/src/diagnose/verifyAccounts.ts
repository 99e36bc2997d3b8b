import type { ChainConfig, Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { diagnoseDepositoryAccount } from '@causeway/core/chain-kit'
import { validateAddress } from '../address/addresses.js'
import type { XrpSettings } from '../options.js'
import type { Asked } from '../rpc/xrpNode.js'
import { verifyOwnAccounts } from './diagnoseAccounts.js'

/** Compares the depository with the allocator key, and the accounts of the deployment with what the ledger says of them. Throws ServiceError when the node does not answer. */
export const verifyAccounts = async (
  asked: Asked,
  { config, settings }: { readonly config: ChainConfig; readonly settings: XrpSettings },
  { allocator }: Pick<DiagnosisRequest, 'allocator'>,
): Promise<readonly Diagnosis[]> => [
  diagnoseDepositoryAccount({
    subject: `${config.slug} depository`,
    depository: settings.depository,
    allocator,
    validateAddress: (text) => validateAddress(text, settings.networkId),
  }),
  ...(await verifyOwnAccounts(asked, { config, settings })),
]
