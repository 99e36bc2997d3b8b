import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { Button } from '../../../components/controls/Button.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { CheckField, SelectField, TextField } from '../../../components/controls/Field.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { withFreshSignIn } from '../../../shell/session/SignInAgain.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useChains } from '../data/chains.js'

const words = dashboardTexts.access.wallets
export const WALLETS_PATH = '/dashboard/api/wallets'

/** A wallet as `GET /dashboard/api/wallets` lists it. */
export interface WalletAccess {
  readonly address: string
  readonly chainId: number | null
  readonly integratorId: string | null
  readonly operator: boolean
  readonly signedInAt: string | null
}

export interface WalletDialogProps {
  /** Null: one that is not known yet. */
  readonly wallet: WalletAccess | null
  /** Whom a new one is linked to unless told otherwise. */
  readonly integratorId: string | null
  onClose(): void
  changed(): unknown
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ADDRESS = /^0x[0-9a-f]{40}$/i

/** What a wallet may: linked, made an operator, forgotten. */
export const WalletDialog = ({ wallet, integratorId, onClose, changed }: WalletDialogProps) => {
  const [isForgetting, setForgetting] = useState(false)
  if (isForgetting && wallet !== null)
    return (
      <ConfirmDialog
        open
        onClose={onClose}
        title={words.forgetTitle}
        lead={words.forgetLead}
        confirm={words.forget}
        danger
        retype={wallet.address.slice(0, 8)}
        act={async () => {
          await withFreshSignIn(() => callApi(`${WALLETS_PATH}/${wallet.address}`, { method: 'DELETE' }))
          onClose()
          toast(words.forgotten)
          await changed()
        }}
      />
    )
  return <ChangeDialog {...{ wallet, integratorId, onClose, changed }} forget={() => setForgetting(true)} />
}

const ChangeDialog = ({ wallet, integratorId, onClose, changed, forget }: WalletDialogProps & { forget(): void }) => {
  const { chains } = useChains()
  const [address, setAddress] = useState(wallet?.address ?? '')
  const [owner, setOwner] = useState(wallet === null ? (integratorId ?? '') : (wallet.integratorId ?? ''))
  const [isOperator, setOperator] = useState(wallet?.operator ?? false)
  const [chain, setChain] = useState(wallet?.chainId == null ? '' : String(wallet.chainId))
  const act = async () => {
    if (!ADDRESS.test(address.trim())) throw new Error(words.badAddress)
    if (owner.trim() !== '' && !UUID.test(owner.trim())) throw new Error(words.badIntegrator)
    const chainId = chain === '' ? null : Number(chain)
    const body = {
      integratorId: owner.trim() === '' ? null : owner.trim(),
      operator: isOperator,
      ...(chainId === (wallet?.chainId ?? null) ? {} : { chainId }),
    }
    await withFreshSignIn(() => callApi(`${WALLETS_PATH}/${address.trim()}`, { method: 'PUT', body }))
    onClose()
    toast(words.saved)
    await changed()
  }
  return (
    <ConfirmDialog open onClose={onClose} title={words.title} lead={words.lead} confirm={texts.data.save} act={act}>
      <TextField
        label={words.address}
        value={address}
        disabled={wallet !== null}
        maxLength={42}
        required
        onChange={({ target }) => setAddress(target.value)}
      />
      <TextField
        label={words.integrator}
        hint={words.integratorHint}
        value={owner}
        maxLength={36}
        onChange={({ target }) => setOwner(target.value)}
      />
      <SelectField
        label={words.chain}
        hint={words.chainHint}
        choices={[
          { value: '', text: texts.data.none },
          ...chains
            .filter(({ vmType }) => vmType === 'evm')
            .map(({ id, displayName }) => ({ value: String(id), text: displayName })),
          ...(chain === '' || chains.some(({ id }) => String(id) === chain) ? [] : [{ value: chain, text: chain }]),
        ]}
        value={chain}
        onChange={({ target }) => setChain(target.value)}
      />
      <CheckField label={words.operator} checked={isOperator} onChange={({ target }) => setOperator(target.checked)} />
      {wallet !== null && (
        <div>
          <Button kind="danger" size="small" onClick={forget}>
            {words.forget}
          </Button>
        </div>
      )}
    </ConfirmDialog>
  )
}
