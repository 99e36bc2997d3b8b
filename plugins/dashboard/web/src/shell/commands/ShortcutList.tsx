import { Dialog } from '../../components/controls/Dialogs.js'
import { texts } from '../../texts/texts.js'
import type { Shortcut } from './shortcuts.js'

export const ShortcutList = ({
  open,
  onClose,
  shortcuts,
}: {
  readonly open: boolean
  onClose(): void
  readonly shortcuts: readonly Shortcut[]
}) => (
  <Dialog open={open} onClose={onClose} title={texts.shortcuts.title}>
    <dl className="facts">
      {shortcuts.map(({ key, afterG, command, text }) => (
        <div key={text} style={{ display: 'contents' }}>
          <dt>
            {command === true && (
              <>
                <kbd>Ctrl</kbd>{' '}
              </>
            )}
            {afterG === true && (
              <>
                <kbd>g</kbd>{' '}
              </>
            )}
            <kbd>{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
