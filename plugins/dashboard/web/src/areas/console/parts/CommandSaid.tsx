import { useSyncExternalStore } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { Dialog } from '../../../components/controls/Dialogs.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import type { CommandCall } from '../commands.js'
import { SameOnTerminal } from './SameOnTerminal.js'

const words = consoleTexts.action

interface Said {
  readonly title: string
  readonly lines: readonly string[]
  readonly call: CommandCall
}

let said: Said | null = null
const listeners = new Set<() => void>()

/** Shows what a command said; it stays although what it was about has left the page. */
export const showSaid = (next: Said | null): void => {
  said = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The dialog of `showSaid`; it stands once in the area. */
export const CommandSaid = () => {
  const shown = useSyncExternalStore(subscribe, () => said)
  if (shown === null) return null
  const close = () => showSaid(null)
  return (
    <Dialog open onClose={close} title={shown.title}>
      <Notice tone="good">{words.done}</Notice>
      <div className="tight">
        <span className="small faint">{words.said}</span>
        <pre className="code" data-wrap="true">
          {shown.lines.join('\n')}
        </pre>
      </div>
      <SameOnTerminal call={shown.call} />
      <div className="dialog-end">
        <Button kind="primary" onClick={close}>
          {texts.data.close}
        </Button>
      </div>
    </Dialog>
  )
}
