import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useId, useRef, useState } from 'react'
import { texts } from '../../texts/texts.js'
import { Notice } from '../feedback/Notice.js'
import { Button } from './Button.js'
import { TextField } from './Field.js'

export interface DialogProps {
  readonly open: boolean
  onClose(): void
  readonly title: string
  readonly lead?: ReactNode
  readonly wide?: boolean
  readonly children?: ReactNode
}

/**
 * Gives the focus back to where it was when a dialog without a trigger was opened: for `onCloseAutoFocus`. It is noted while the
 * dialog is rendered, since a field of it may take the focus as soon as it is there.
 */
export const useFocusBack = (open: boolean): ((event: Event) => void) => {
  const from = useRef<Element | null>(null)
  const wasOpen = useRef(false)
  if (open && !wasOpen.current) from.current = document.activeElement
  wasOpen.current = open
  return (event) => {
    event.preventDefault()
    if (from.current instanceof HTMLElement) from.current.focus()
  }
}

/** A dialog over the page; Escape and a click beside it close it, and the focus goes back to where it was. */
export const Dialog = ({ open, onClose, title, lead, wide = false, children }: DialogProps) => {
  const focusBack = useFocusBack(open)
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="veil" />
        <Radix.Content
          className="dialog"
          onCloseAutoFocus={focusBack}
          data-wide={wide}
          {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <Radix.Title asChild>
            <h2>{title}</h2>
          </Radix.Title>
          {lead !== undefined && (
            <Radix.Description asChild>
              <div className="soft">{lead}</div>
            </Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export interface ConfirmProps extends Omit<DialogProps, 'wide'> {
  readonly confirm: string
  readonly danger?: boolean
  /** What has to be typed before it can be done. */
  readonly retype?: string
  /** Does it; what it throws is shown, and the dialog stays. It closes the dialog when it is done. */
  act(): Promise<void>
}

/** Of a form that is longer than the window, the end is what matters now. */
const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

/** Asks before something is done, and shows what came of it. */
export const ConfirmDialog = ({ confirm, danger = false, retype, act, children, ...dialog }: ConfirmProps) => {
  const [typed, setTyped] = useState('')
  const [trouble, setTrouble] = useState<string | null>(null)
  const [isWorking, setWorking] = useState(false)
  const form = useId()
  const isRight = retype === undefined || typed.trim() === retype
  const submit = async () => {
    if (!isRight || isWorking) return
    setWorking(true)
    setTrouble(null)
    try {
      await act()
      setTyped('')
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error))
    } finally {
      setWorking(false)
    }
  }
  return (
    <Dialog {...dialog}>
      <form
        id={form}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {retype !== undefined && (
          <TextField
            label={texts.data.retype(retype)}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        {trouble !== null && (
          <div ref={intoView}>
            <Notice tone="bad">{trouble}</Notice>
          </div>
        )}
      </form>
      <div className="dialog-end">
        <Button onClick={dialog.onClose}>{texts.data.cancel}</Button>
        <Button type="submit" form={form} kind={danger ? 'danger' : 'primary'} disabled={!isRight || isWorking}>
          {isWorking ? texts.data.working : confirm}
        </Button>
      </div>
    </Dialog>
  )
}
