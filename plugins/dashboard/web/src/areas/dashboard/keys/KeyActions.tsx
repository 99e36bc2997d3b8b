import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { useSession } from '../../../api/useSession.js'
import { Button } from '../../../components/controls/Button.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { TextField } from '../../../components/controls/Field.js'
import { Menu } from '../../../components/controls/Menu.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { withFreshSignIn } from '../../../shell/session/SignInAgain.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { type ApiKey, KEYS_PATH, keyName } from '../data/keys.js'

const words = dashboardTexts.keys

interface KeyActionsProps {
  readonly apiKey: ApiKey
  changed(): Promise<void>
}

/** What can be done to a key that is not revoked. */
export const KeyActions = ({ apiKey, changed }: KeyActionsProps) => {
  const isOperator = useSession().data?.role === 'operator'
  const [dialog, setDialog] = useState<'rename' | 'revoke' | null>(null)
  if (apiKey.revokedAt !== null) return null
  const path = `${KEYS_PATH}/${apiKey.id}`
  const set = async (change: Partial<Pick<ApiKey, 'elevated' | 'trusted'>>) => {
    try {
      await withFreshSignIn(() => callApi(path, { method: 'PATCH', body: change }))
      await changed()
      toast(words.changed)
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'bad')
    }
  }
  return (
    <>
      <Button onClick={() => setDialog('rename')}>{words.rename}</Button>
      {isOperator && (
        <Menu
          label={words.more}
          trigger={
            <Button aria-label={words.more}>
              <Ellipsis aria-hidden />
            </Button>
          }
          items={[
            {
              text: apiKey.elevated ? words.unelevate : words.elevate,
              act: () => void set({ elevated: !apiKey.elevated }),
            },
            { text: apiKey.trusted ? words.distrust : words.trust, act: () => void set({ trusted: !apiKey.trusted }) },
          ]}
        />
      )}
      <Button kind="danger" onClick={() => setDialog('revoke')}>
        {words.revoke}
      </Button>
      <Rename key={apiKey.label} open={dialog === 'rename'} onClose={() => setDialog(null)} {...{ apiKey, changed }} />
      <ConfirmDialog
        open={dialog === 'revoke'}
        onClose={() => setDialog(null)}
        title={words.revokeTitle}
        lead={words.revokeLead}
        confirm={words.revoke}
        danger
        retype={keyName(apiKey)}
        act={async () => {
          await withFreshSignIn(() => callApi(`${path}/revoke`, { method: 'POST' }))
          setDialog(null)
          await changed()
          toast(words.revoked)
        }}
      />
    </>
  )
}

const Rename = ({ apiKey, changed, open, onClose }: KeyActionsProps & { readonly open: boolean; onClose(): void }) => {
  const [label, setLabel] = useState(apiKey.label ?? '')
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={words.renameTitle}
      confirm={words.rename}
      act={async () => {
        const body = { label: label.trim() === '' ? null : label.trim() }
        await callApi(`${KEYS_PATH}/${apiKey.id}`, { method: 'PATCH', body })
        onClose()
        await changed()
        toast(words.renamed)
      }}
    >
      <TextField
        label={words.label}
        hint={words.labelHint}
        value={label}
        maxLength={100}
        onChange={({ target }) => setLabel(target.value)}
      />
    </ConfirmDialog>
  )
}
