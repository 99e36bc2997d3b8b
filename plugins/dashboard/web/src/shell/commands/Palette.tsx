import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useFocusBack } from '../../components/controls/Dialogs.js'
import { texts } from '../../texts/texts.js'
import type { AreaCommand, AreaPage } from '../area.js'

export interface PaletteProps {
  readonly open: boolean
  onClose(): void
  readonly pages: readonly AreaPage[]
  readonly commands: readonly AreaCommand[]
  go(path: string): void
  /** Looks for an id, address or hash. */
  find(text: string): void
}

/** Everything that can be gone to or done, by its first letters. */
export const Palette = ({ open, onClose, pages, commands, go, find }: PaletteProps) => {
  const [text, setText] = useState('')
  const focusBack = useFocusBack(open)
  const close = () => {
    setText('')
    onClose()
  }
  const then = (act: () => void) => () => {
    close()
    act()
  }
  const sought = text.trim()
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="palette" aria-describedby={undefined} onCloseAutoFocus={focusBack}>
          <Dialog.Title className="unseen">{texts.palette.open}</Dialog.Title>
          <Command label={texts.palette.open} loop>
            <Command.Input value={text} onValueChange={setText} placeholder={texts.palette.placeholder} autoFocus />
            <Command.List>
              {sought.length < 4 && <Command.Empty>{texts.palette.empty}</Command.Empty>}
              {sought.length >= 4 && (
                <Command.Item forceMount value={`find ${sought}`} onSelect={then(() => find(sought))}>
                  <span className="cut">{texts.palette.find(sought)}</span>
                </Command.Item>
              )}
              <Command.Group heading={texts.palette.pages}>
                {pages.map(({ path, title, icon: Icon, key }) => (
                  <Command.Item key={path} value={title} onSelect={then(() => go(path))}>
                    <Icon className="icon" aria-hidden />
                    {title}
                    {key !== undefined && (
                      <span className="keys">
                        <kbd>g</kbd> <kbd>{key}</kbd>
                      </span>
                    )}
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading={texts.palette.actions}>
                {commands.map(({ text: name, act }) => (
                  <Command.Item key={name} value={name} onSelect={then(act)}>
                    {name}
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
