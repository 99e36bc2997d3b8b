import type { Hex } from '@causeway/core'
import type { Diagnosis } from '@causeway/core/chain'
import type { RpcOutcome } from '@causeway/core/chain-kit'
import type { PermitContracts } from '../../address/addresses.js'
import { permitReceiverOf } from '../../payout/contracts/permitRouter.js'
import { isCodeOf, isPermitReceiverOf, permitRouterOf } from '../../setup/contractAddresses.js'
import type { Batching } from './diagnoseDeps.js'

const text = (outcome: RpcOutcome | undefined): string => (outcome?.ok === true ? String(outcome.result) : '0x')

/** What users sign for ends in the depository of this chain alone: router and receivers are ours, and it is theirs. Permit2 is where it is looked for. */
export const diagnosePermits = async (
  endpoint: Batching,
  slug: string,
  { permits, depository }: { readonly permits: PermitContracts; readonly depository: string },
): Promise<readonly Diagnosis[]> => {
  const { router, permit2 } = permits
  const code = (address: string) => ({ method: 'eth_getCode', params: [address, 'latest'] })
  const answers = await endpoint.batch([router, permitReceiverOf(router), permit2].map(code))
  // CAST: an answered eth_getCode is hex text.
  const [routerCode, receiverCode, permit2Code] = answers.map((answer) => text(answer) as Hex)
  if (routerCode === '0x') {
    const message = 'there is no contract at the configured address'
    const remedy = 'Correct "permitRouter" in the chain\'s options, or deploy it.'
    return [{ check: 'contract', subject: `${slug} permit router`, state: 'fault', message, remedy }]
  }
  const right =
    isCodeOf(routerCode ?? '0x', permitRouterOf(depository, permit2), router) &&
    isPermitReceiverOf(receiverCode ?? '0x', router, depository)
  const signed: Diagnosis = right
    ? { check: 'contract', subject: `${slug} signed deposits`, state: 'ok', message: 'go into the depository' }
    : {
        check: 'contract',
        subject: `${slug} signed deposits`,
        state: 'fault',
        message:
          'do not go into the depository of this chain: the permit router is another contract, or belongs to another depository or Permit2',
        remedy: 'Correct "permitRouter" or "permit2" in the chain\'s options, or leave them out, before anybody signs.',
      }
  if (permit2Code !== '0x') return [signed]
  const warning: Diagnosis = {
    check: 'contract',
    subject: `${slug} Permit2`,
    state: 'warning',
    message: 'is not on this chain: only tokens with permits of their own can be signed for',
    remedy: 'Set "permit2" in the chain\'s options if it is at another address, and deploy a permit router for it.',
  }
  return [signed, warning]
}
