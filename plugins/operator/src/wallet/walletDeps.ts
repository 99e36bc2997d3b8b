import type { Signer } from '@causeway/core/chain'
import { operatorAddress, WALLET_OFF_TEXT, type WalletPolicy } from '@causeway/core/money-path'
import { ActionRefusedError, type Deployment, type Keys } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'

/** What the commands over the wallets work with besides. */
export interface WalletDeps extends OperatorDeps {
  readonly network: Deployment['network']
  /** Of the command's own configuration; the process that signs goes by its own. */
  readonly wallet: WalletPolicy
  readonly keys: Pick<Keys, 'has' | 'signer'>
}

/** The operator's key of this command. @throws ActionRefusedError where there is none, or orders are off */
export const requireOperator = ({ wallet, keys }: WalletDeps): Signer => {
  if (wallet.operators.length === 0) throw new ActionRefusedError(WALLET_OFF_TEXT)
  if (!keys.has('operator'))
    throw new ActionRefusedError(
      'This configuration has no operator key. Name it as keys.operator: { "keystore": "operator" }, { "file": ... } or { "env": ... }, where no host can read it.',
    )
  const operator = keys.signer('operator')
  const address = operatorAddress(operator)
  if (wallet.operators.some((item) => item.toLowerCase() === address)) return operator
  throw new ActionRefusedError(`keys.operator is ${address}, which wallet.operators does not name.`)
}
