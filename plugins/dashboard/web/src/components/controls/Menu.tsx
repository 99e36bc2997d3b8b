import { Slot } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import type { MenuProps } from './OpenedMenu.js'

const OpenedMenu = lazy(async () => ({ default: (await import('./OpenedMenu.js')).OpenedMenu }))

/** A button that opens a menu. What a menu needs is loaded when the first is opened. */
export const Menu = (props: MenuProps) => {
  const [wasOpened, setOpened] = useState(false)
  const closed = (
    <Slot.Root aria-haspopup="menu" aria-expanded={false} onClick={() => setOpened(true)}>
      {props.trigger}
    </Slot.Root>
  )
  if (!wasOpened) return closed
  return (
    <Suspense fallback={closed}>
      <OpenedMenu {...props} />
    </Suspense>
  )
}
