import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

export interface MenuItem {
  readonly text: string
  readonly tone?: 'bad'
  readonly checked?: boolean
  act(): void
}

/** A button that opens a menu. `trigger` is one element that takes a ref. */
export const Menu = ({
  trigger,
  label,
  items,
}: {
  readonly trigger: ReactNode
  readonly label?: string
  readonly items: readonly MenuItem[]
}) => (
  <DropdownMenu.Root>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
        {label !== undefined && <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label>}
        {items.map(({ text, tone, checked, act }) => (
          <DropdownMenu.Item key={text} className="menu-item" data-tone={tone} onSelect={act}>
            {text}
            {checked === true && <span aria-hidden>✓</span>}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)
