import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { TextField } from '../../../components/controls/Field.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { withFreshSignIn } from '../../../shell/session/SignInAgain.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { KEYS_PATH } from '../data/keys.js'
import { ChooseFirst, useScope } from '../data/scope.js'

const words = dashboardTexts.keys

export interface ImportKeyProps {
  readonly open: boolean
  onClose(): void
  /** A key more is there. */
  made(): unknown
}

/** For operators: a key that is in use elsewhere. */
export const ImportKey = ({ open, onClose, made }: ImportKeyProps) => {
  const scope = useScope()
  const [apiKey, setApiKey] = useState('')
  const [label, setLabel] = useState('')
  const act = async () => {
    const body = { apiKey: apiKey.trim(), ...(label.trim() === '' ? {} : { label: label.trim() }), ...scope.query }
    await withFreshSignIn(() => callApi(`${KEYS_PATH}/import`, { method: 'POST', body }))
    setApiKey('')
    setLabel('')
    toast(words.imported)
    onClose()
    await made()
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={words.importTitle}
      lead={words.importLead}
      confirm={words.import}
      act={act}
    >
      {scope.integratorId === null ? <ChooseFirst /> : null}
      <TextField
        label={words.importKey}
        type="password"
        value={apiKey}
        onChange={({ target }) => setApiKey(target.value)}
        required
      />
      <TextField label={words.label} value={label} maxLength={100} onChange={({ target }) => setLabel(target.value)} />
    </ConfirmDialog>
  )
}
