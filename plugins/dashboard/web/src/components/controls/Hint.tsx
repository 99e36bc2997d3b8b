import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'

/** A short explanation over one focusable element. */
export const Hint = ({ text, children }: { readonly text: string; readonly children: ReactNode }) => (
  <Tooltip.Root>
    <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
    <Tooltip.Portal>
      <Tooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
        {text}
      </Tooltip.Content>
    </Tooltip.Portal>
  </Tooltip.Root>
)
