import { useNavigate } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { boot } from '../../../boot.js'
import { Button } from '../../../components/controls/Button.js'
import { TextField } from '../../../components/controls/Field.js'
import { Badge } from '../../../components/values/Badge.js'
import { AppLink } from '../../../shell/AppLink.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { QuoteLine } from './QuoteLine.js'

const words = dashboardTexts.overview
const { steps } = words

export interface FirstStepsProps {
  /** Null: not known yet. */
  readonly hasKey: boolean | null
  readonly webhookKey: string | null
  readonly newKey: string | null
  create(): void
}

/** From nothing to a transfer that can be followed. */
export const FirstSteps = ({ hasKey, webhookKey, newKey, create }: FirstStepsProps) => (
  <section className="card" aria-label={words.first}>
    <div className="tight">
      <h2>{words.first}</h2>
      <p className="soft">{words.firstLead}</p>
    </div>
    <ol className="first-steps">
      <Step title={steps.key.title} lead={steps.key.lead} isDone={hasKey === true}>
        <Button kind={hasKey === false ? 'primary' : 'plain'} onClick={create}>
          {steps.key.act}
        </Button>
      </Step>
      <Step title={steps.quote.title} lead={steps.quote.lead}>
        <QuoteLine apiKey={newKey} />
      </Step>
      <Step title={steps.follow.title} lead={steps.follow.lead}>
        <FollowForm />
        {boot.sandbox && (
          <p className="row">
            <span className="soft">{steps.follow.try}</span> <a href="/try">{steps.follow.tryAct}</a>
          </p>
        )}
      </Step>
      <Step title={steps.webhook.title} lead={steps.webhook.lead}>
        <Button asChild>
          <AppLink to={webhookKey === null ? '/dashboard/webhooks' : `/dashboard/webhooks/${webhookKey}`}>
            {steps.webhook.act}
          </AppLink>
        </Button>
      </Step>
    </ol>
  </section>
)

const Step = ({
  title,
  lead,
  isDone = false,
  children,
}: {
  readonly title: string
  readonly lead: string
  readonly isDone?: boolean
  readonly children: ReactNode
}) => (
  <li data-done={isDone}>
    <div className="tight">
      <div className="row">
        <h3>{title}</h3>
        {isDone && (
          <Badge tone="good">
            {words.done} <Check className="icon" aria-hidden />
          </Badge>
        )}
      </div>
      <p className="soft">{lead}</p>
      {children}
    </div>
  </li>
)

const FollowForm = () => {
  const navigate = useNavigate()
  const [id, setId] = useState('')
  return (
    <form
      className="filter-row"
      onSubmit={(event) => {
        event.preventDefault()
        if (id.trim() !== '') void navigate({ to: `/dashboard/requests/${encodeURIComponent(id.trim())}` })
      }}
    >
      <TextField
        label={steps.follow.id}
        placeholder="0x…"
        value={id}
        maxLength={256}
        onChange={({ target }) => setId(target.value)}
      />
      <Button type="submit" disabled={id.trim() === ''}>
        {steps.follow.act}
      </Button>
    </form>
  )
}
