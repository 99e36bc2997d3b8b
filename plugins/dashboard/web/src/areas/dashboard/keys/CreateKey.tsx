import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { CheckField, TextField } from '../../../components/controls/Field.js'
import { withFreshSignIn } from '../../../shell/session/SignInAgain.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { type ApiKey, KEYS_PATH } from '../data/keys.js'
import { ChooseFirst, useScope } from '../data/scope.js'
import { SecretDialog } from './SecretDialog.js'

const words = dashboardTexts.keys

export interface MakeKeyProps {
  readonly open: boolean
  onClose(): void
  /** A key more is there; whoever needs it gets it once. */
  made(apiKey: string): unknown
}

/** Makes a key, and shows it once: it is kept in this component alone, until its dialog is closed. */
export const CreateKey = ({ open, onClose, made }: MakeKeyProps) => {
  const scope = useScope()
  const [label, setLabel] = useState('')
  const [grants, setGrants] = useState({ elevated: false, trusted: true })
  const [apiKey, setApiKey] = useState<string | null>(null)
  const act = async () => {
    const body = {
      ...(label.trim() === '' ? {} : { label: label.trim() }),
      ...scope.query,
      ...(scope.isOperator ? grants : {}),
    }
    const answer = await withFreshSignIn(() =>
      callApi<ApiKey & { apiKey: string }>(KEYS_PATH, { method: 'POST', body }),
    )
    setApiKey(answer.apiKey)
    setLabel('')
    onClose()
    await made(answer.apiKey)
  }
  return (
    <>
      <ConfirmDialog
        open={open}
        onClose={onClose}
        title={words.createTitle}
        lead={words.createLead}
        confirm={words.create}
        act={act}
      >
        {scope.hasOwner ? null : <ChooseFirst />}
        <TextField
          label={words.label}
          hint={words.labelHint}
          value={label}
          maxLength={100}
          onChange={({ target }) => setLabel(target.value)}
        />
        {scope.isOperator && (
          <div className="tight">
            <CheckField
              label={words.giveElevated}
              checked={grants.elevated}
              onChange={({ target }) => setGrants({ ...grants, elevated: target.checked })}
            />
            <CheckField
              label={words.giveTrusted}
              checked={grants.trusted}
              onChange={({ target }) => setGrants({ ...grants, trusted: target.checked })}
            />
          </div>
        )}
      </ConfirmDialog>
      <SecretDialog
        secret={apiKey}
        title={words.made.title}
        warning={words.made.warning}
        name={words.made.name}
        onClose={() => setApiKey(null)}
      />
    </>
  )
}
