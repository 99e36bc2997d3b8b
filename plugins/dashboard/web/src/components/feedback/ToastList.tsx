import { Toast } from 'radix-ui'

export interface Said {
  readonly id: number
  readonly text: string
  readonly tone: 'good' | 'bad'
}

/** What was said lately, read out to whoever cannot see it. */
export const ToastList = ({ shown, leave }: { readonly shown: readonly Said[]; leave(id: number): void }) => (
  <Toast.Provider duration={5_000}>
    {shown.map(({ id, text, tone }) => (
      <Toast.Root key={id} className="toast" data-tone={tone} onOpenChange={(isOpen) => !isOpen && leave(id)}>
        <Toast.Description>{text}</Toast.Description>
      </Toast.Root>
    ))}
    <Toast.Viewport className="toasts" />
  </Toast.Provider>
)
