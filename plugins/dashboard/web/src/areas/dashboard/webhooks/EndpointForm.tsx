import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { CheckField, TextArea, TextField } from '../../../components/controls/Field.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { withFreshSignIn } from '../../../shell/session/SignInAgain.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { type Endpoint, webhookPath } from './webhook.js'

const words = dashboardTexts.webhooks

/** Lines of `name: value`. Throws for one that is none. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf(':')
        if (at < 1) throw new Error(words.badHeader(line.slice(0, 60)))
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )

export interface EndpointFormProps {
  readonly open: boolean
  onClose(): void
  readonly keyId: string
  readonly endpoint: Endpoint | null
  showSecret(secret: string): void
  changed(): Promise<void>
}

/** Makes or changes the endpoint of a key; the secret of a new one is shown once. */
export const EndpointForm = ({ open, onClose, keyId, endpoint, showSecret, changed }: EndpointFormProps) => {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [headers, setHeaders] = useState('')
  const [isEnabled, setEnabled] = useState(endpoint?.enabled ?? true)
  const act = async () => {
    const body = { url: url.trim(), enabled: isEnabled, headers: headersOf(headers) }
    const answer = await withFreshSignIn(() =>
      callApi<Endpoint & { secret?: string }>(webhookPath(keyId), { method: 'PUT', body }),
    )
    onClose()
    if (answer.secret !== undefined) showSecret(answer.secret)
    else toast(words.saved)
    await changed()
  }
  return (
    <ConfirmDialog open={open} onClose={onClose} title={words.set} confirm={texts.data.save} act={act}>
      <TextField
        label={words.url}
        hint={words.urlHint}
        type="url"
        inputMode="url"
        placeholder="https://shop.example/causeway"
        value={url}
        maxLength={4096}
        onChange={({ target }) => setUrl(target.value)}
        required
      />
      <TextArea
        label={words.headers}
        hint={
          endpoint !== null && endpoint.headers.length > 0
            ? words.headersKept(endpoint.headers.join(', '))
            : words.headersHint
        }
        value={headers}
        onChange={({ target }) => setHeaders(target.value)}
      />
      <div className="field">
        <CheckField label={words.enabled} checked={isEnabled} onChange={({ target }) => setEnabled(target.checked)} />
        <span className="field-hint">{words.enabledHint}</span>
      </div>
    </ConfirmDialog>
  )
}
