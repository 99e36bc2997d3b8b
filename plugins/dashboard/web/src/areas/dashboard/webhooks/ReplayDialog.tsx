import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { SelectField, TextField } from '../../../components/controls/Field.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { webhookPath } from './webhook.js'

const words = dashboardTexts.webhooks

export interface ReplayDialogProps {
  readonly keyId: string
  readonly open: boolean
  onClose(): void
  changed(): unknown
}

const secondsOf = (text: string): number => Math.floor(Date.parse(text) / 1000)

/** Sends the events of a time again, page after page until all are queued. */
export const ReplayDialog = ({ keyId, open, onClose, changed }: ReplayDialogProps) => {
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const [which, setWhich] = useState('parked')
  const act = async () => {
    const [startTimestamp, endTimestamp] = [secondsOf(from), secondsOf(until)]
    if (!(startTimestamp < endTimestamp)) throw new Error(words.badTime)
    let queued = 0
    let cursor: string | null = null
    do {
      const body = { startTimestamp, endTimestamp, deliveries: which, ...(cursor === null ? {} : { cursor }) }
      const answer: { queued: number; nextCursor: string | null } = await callApi(`${webhookPath(keyId)}/replay`, {
        method: 'POST',
        body,
      })
      queued += answer.queued
      cursor = answer.nextCursor
    } while (cursor !== null)
    toast(words.queued(queued))
    onClose()
    await changed()
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={words.replayTitle}
      lead={words.replayLead}
      confirm={words.replay}
      act={act}
    >
      <div className="grid">
        <TextField
          label={words.from}
          type="datetime-local"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
          required
        />
        <TextField
          label={words.until}
          type="datetime-local"
          value={until}
          onChange={({ target }) => setUntil(target.value)}
          required
        />
      </div>
      <SelectField
        label={words.which}
        choices={[
          { value: 'parked', text: words.whichParked },
          { value: 'all', text: words.whichAll },
        ]}
        value={which}
        onChange={({ target }) => setWhich(target.value)}
      />
    </ConfirmDialog>
  )
}
