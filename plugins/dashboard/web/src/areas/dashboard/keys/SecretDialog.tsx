import type { ReactNode } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { Dialog } from '../../../components/controls/Dialogs.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'

const words = dashboardTexts.keys.made

/** Shows a secret once. A click beside it or Escape does not close it: only whoever has stored it does. */
export const SecretDialog = ({
  secret,
  title,
  warning,
  name,
  onClose,
  children,
}: {
  readonly secret: string | null
  readonly title: string
  readonly warning: string
  readonly name: string
  onClose(): void
  readonly children?: ReactNode
}) => (
  <Dialog open={secret !== null} onClose={() => undefined} title={title}>
    <Notice tone="warn">{warning}</Notice>
    <div className="secret">
      <Copyable text={secret ?? ''} what={name} />
    </div>
    {children}
    <div className="dialog-end">
      <Button kind="primary" onClick={onClose}>
        {words.stored}
      </Button>
    </div>
  </Dialog>
)
