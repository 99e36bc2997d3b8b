import { Tabs } from 'radix-ui'
import type { ReactNode } from 'react'

export interface TabPage {
  readonly id: string
  readonly title: string
  readonly content: ReactNode
}

/** Several views of one thing; the chosen one is the caller's to keep, for example in the address. */
export const TabPages = ({
  label,
  pages,
  value,
  onChange,
}: {
  readonly label: string
  readonly pages: readonly TabPage[]
  readonly value: string
  onChange(id: string): void
}) => (
  <Tabs.Root value={value} onValueChange={onChange} className="stack">
    <Tabs.List className="tabs" aria-label={label}>
      {pages.map(({ id, title }) => (
        <Tabs.Trigger key={id} value={id} className="tab">
          {title}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
    {pages.map(({ id, content }) => (
      <Tabs.Content key={id} value={id} className="stack">
        {content}
      </Tabs.Content>
    ))}
  </Tabs.Root>
)
