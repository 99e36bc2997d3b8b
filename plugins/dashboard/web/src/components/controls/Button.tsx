import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'

export type ButtonProps = ComponentProps<'button'> & {
  readonly kind?: 'primary' | 'danger' | 'quiet' | 'plain'
  readonly size?: 'small' | 'usual'
  /** The child is the element, for example a link that looks like a button. */
  readonly asChild?: boolean
}

/** A button; `type` is `button` unless a form needs another. */
export const Button = ({ kind = 'plain', size = 'usual', asChild = false, type = 'button', ...rest }: ButtonProps) => {
  const shared = { className: 'button', 'data-kind': kind, 'data-size': size }
  return asChild ? <Slot.Root {...shared} {...rest} /> : <button type={type} {...shared} {...rest} />
}
